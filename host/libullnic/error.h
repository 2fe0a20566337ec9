/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The sentence behind ullnic_last_error(), one a thread.
 */
#ifndef ULLNIC_LIB_ERROR_H
#define ULLNIC_LIB_ERROR_H

/** Keeps a sentence: cause; remedy. errno stays as it is. */
__attribute__((format(printf, 1, 2))) void ul_say(const char* format, ...);
/** The same with a text that lives for ever: no formatting, for the fast path. */
void ul_say_text(const char* text);

/** Keeps the sentence and gives -error, a positive errno. */
#define ul_fail(error, ...) (ul_say(__VA_ARGS__), -(error))
#define ul_fail_text(error, text) (ul_say_text(text), -(error))

#endif /* ULLNIC_LIB_ERROR_H */
