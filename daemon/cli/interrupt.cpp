#include "daemon/cli/interrupt.h"

#include <pthread.h>
#include <unistd.h>

#include <csignal>

namespace modelwatch::cli {

namespace {
sigset_t signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) sigaddset(&set, signal);  // USR1: the destructor's own
  return set;
}
}  // namespace

Interrupt::Interrupt() {
  const sigset_t set = signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);  // the waiter inherits it, and is the only one to take them
  waiter_ = std::jthread([source = source_, set](std::stop_token ending) mutable {
    for (int taken = 0, asked = 0; !ending.stop_requested();) {
      if (sigwait(&set, &taken) != 0 || taken == SIGUSR1) continue;
      if (++asked > 1) _exit(130);
      source.request_stop();
    }
  });
}

Interrupt::~Interrupt() {
  waiter_.request_stop();
  pthread_kill(waiter_.native_handle(), SIGUSR1);
  waiter_.join();
  const sigset_t set = signals();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace modelwatch::cli
