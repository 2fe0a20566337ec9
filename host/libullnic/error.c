/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "ullnic/ullnic.h"

static _Thread_local char buffer[512];
static _Thread_local const char* last = "";

void ul_say(const char* format, ...) {
  const int kept = errno;
  char text[sizeof buffer];  // an argument may be the buffer itself
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  snprintf(buffer, sizeof buffer, "%s", text);
  last = buffer;
  errno = kept;
}

void ul_say_text(const char* text) { last = text; }

const char* ullnic_last_error(void) { return last; }
