/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * @file absent.h
 * Features of libexanic that our cards do not support. A program that uses one does not compile,
 * and the compiler's message states why and what to use instead.
 */
#ifndef EXANIC_ABSENT_H
#define EXANIC_ABSENT_H

#if defined(__has_attribute)
#if __has_attribute(unavailable)
#define EXANIC_UNAVAILABLE(why) __attribute__((unavailable(why)))
#endif
#endif

/** A function that is declared but not implemented. */
#ifdef EXANIC_UNAVAILABLE
#define EXANIC_ABSENT(why) EXANIC_UNAVAILABLE(why)
#else
#define EXANIC_ABSENT(why) __attribute__((error(why)))
#define EXANIC_UNAVAILABLE(why)
#endif

/** A member of the original structures. No compiler accepts indexing it, reading it as a number or
 * assigning one to it; compilers that know the attribute also state the reason. */
struct exanic_member_that_our_cards_do_not_have {
  char nothing;
};
#define EXANIC_ABSENT_MEMBER(name, why) \
  struct exanic_member_that_our_cards_do_not_have name EXANIC_UNAVAILABLE(why)

/** A type for the contents of absent registers. */
#define EXANIC_ABSENT_TYPE(name)                                                   \
  typedef struct exanic_member_that_our_cards_do_not_have name EXANIC_UNAVAILABLE( \
      "ullnic: cards have no register with this")
/** A structure of the kernel driver's calls. */
#define EXANIC_ABSENT_STRUCT(name)                                                                \
  struct EXANIC_UNAVAILABLE("ullnic: no kernel driver is there; use the functions of exanic/*.h") \
      name {                                                                                      \
    char nothing;                                                                                 \
  }

#ifdef __cplusplus
extern "C" {
#endif

int exanic_absent_register(void) EXANIC_ABSENT(
    "ullnic: cards have no such register; host/exanic/README.md lists those that are there, and "
    "ullnic/card.h has the card's own, for ullnic_read32()");
int exanic_absent_kernel_driver(void) EXANIC_ABSENT(
    "ullnic: no kernel driver answers this ioctl, the driver runs in user space; the functions of "
    "exanic/*.h do what programs need");

#ifdef __cplusplus
}
#endif

#endif /* EXANIC_ABSENT_H */
