/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The text of ullnic_last_error(), one per thread.
 */
#ifndef ULLNIC_LIB_ERROR_H
#define ULLNIC_LIB_ERROR_H

/** Stores a sentence: cause; remedy. Leaves errno unchanged. */
__attribute__((format(printf, 1, 2))) void ul_say(const char* format, ...);
/** The same with a static text, without formatting, for the fast path. */
void ul_say_text(const char* text);

/** Stores the sentence; its value is -error, where error is a positive errno. */
#define ul_fail(error, ...) (ul_say(__VA_ARGS__), -(error))
#define ul_fail_text(error, text) (ul_say_text(text), -(error))

#endif /* ULLNIC_LIB_ERROR_H */
