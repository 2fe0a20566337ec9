// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "vfio/guarded_copy.h"

#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <mutex>

namespace ullnic::vfio {
namespace {

thread_local volatile bool guarded = false;
thread_local sigjmp_buf escape;
struct sigaction previous;

void OnBusError(int signal, siginfo_t* info, void* context) {
  if (guarded) {
    guarded = false;
    siglongjmp(escape, 1);
  }
  // Not ours: passed to the previous handler.
  if ((previous.sa_flags & SA_SIGINFO) && previous.sa_sigaction != nullptr) {
    previous.sa_sigaction(signal, info, context);
    return;
  }
  sigaction(SIGBUS, &previous, nullptr);
}

void InstallOnce() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action{};
    action.sa_sigaction = OnBusError;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, &previous);
  });
}

template <typename Copy>
bool Guarded(Copy copy) {
  InstallOnce();
  if (sigsetjmp(escape, 0) != 0) return false;
  guarded = true;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  copy();
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  guarded = false;
  return true;
}

}  // namespace

bool CopyToShared(void* to, const void* from, size_t bytes) {
  return Guarded([=] {
    if (bytes == 8 && reinterpret_cast<uintptr_t>(to) % 8 == 0) {
      uint64_t value = 0;
      std::memcpy(&value, from, sizeof value);
      __atomic_store_n(static_cast<uint64_t*>(to), value, __ATOMIC_RELEASE);
    } else {
      __atomic_thread_fence(__ATOMIC_RELEASE);
      std::memcpy(to, from, bytes);
    }
  });
}

bool CopyFromShared(void* to, const void* from, size_t bytes) {
  return Guarded([=] {
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    std::memcpy(to, from, bytes);
  });
}

}  // namespace ullnic::vfio
