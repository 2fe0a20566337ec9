#!/bin/sh
# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs a program with accelerated sockets.

usage() {
  cat >&2 <<END
usage: exasock [options] COMMAND [ARGUMENT ...]

Runs a program with its TCP and UDP sockets on the card that ullnicd owns.

  --debug     as --trace
  --trace     say what happens to each socket
  --no-warn   do not say why a socket is not accelerated
  --no-auto   accelerate only sockets for which the program asks (SO_EXA_NO_ACCEL 0)
  --require   a socket that would stay the kernel's is an error; do not start without ullnicd, nor a
              program that sockets cannot be taken from (static, set-user-ID). Loopback, unix and raw
              sockets, and those that the program disables (SO_EXA_NO_ACCEL), stay the kernel's
  --version   version of the project

EXASOCK_PATH    folder of libullnic-sockets.so
EXASOCK_REQUIRE 1: as --require
ULLNICD_SOCKET  where ullnicd is (default: /run/ullnicd.sock)

Exit code: the program's; 1 if it was not started, 2 for a wrong option.
END
  exit "$1"
}

fail() {
  echo "exasock: $1" >&2
  exit 1
}

while [ $# -gt 0 ]; do
  case "$1" in
    --debug | --trace) export EXASOCK_TRACE=1 ;;
    --no-warn) export EXASOCK_NOWARN=1 ;;
    --no-auto) export EXASOCK_DEFAULT_DISABLE=1 ;;
    --require) export EXASOCK_REQUIRE=1 ;;
    --help | -h) usage 0 2>&1 ;;
    --version | -V)
      echo "exasock @ULLNIC_VERSION@"
      exit 0
      ;;
    --)
      shift
      break
      ;;
    -*) usage 2 ;;
    *) break ;;
  esac
  shift
done
[ $# -gt 0 ] || usage 2

here=$(dirname "$(readlink -f "$0")")
library=
for folder in ${EXASOCK_PATH:+"$EXASOCK_PATH"} "$here/@ULLNIC_LIBRARIES@" "$here"; do
  if [ -e "$folder/libullnic-sockets.so" ]; then
    library=$(readlink -f "$folder/libullnic-sockets.so")
    break
  fi
done
[ -n "$library" ] ||
  fail "no libullnic-sockets.so beside this command: set EXASOCK_PATH to the folder that holds it"

case $library in
  *[[:space:]:]*) fail "the path of $library has a space or a colon in it, which LD_PRELOAD cannot hold: install it elsewhere" ;;
esac

socket=${ULLNICD_SOCKET:-/run/ullnicd.sock}
[ -S "$socket" ] ||
  fail "ullnicd is not running (no socket $socket): start \`ullnicd --card NAME --address PORT=ADDRESS/BITS\`, or set ULLNICD_SOCKET to its --socket"

case "${EXASOCK_REQUIRE:-0}" in
  0) ;;
  *)
    # A process of its own, in which the library looks and says (preload/starting.c).
    answer=$(EXASOCK_CHECK=$1 LD_PRELOAD=$library env) || exit 1
    [ "$answer" = ready ] || fail "$library cannot be put into programs here"
    ;;
esac

export LD_PRELOAD="$library${LD_PRELOAD:+:$LD_PRELOAD}"
exec "$@"
