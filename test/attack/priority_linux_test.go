package attack_test

import (
	"errors"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// lowerPriority gives this process, in which the attackers are, only the CPU time that nobody else wants: on other
// machines they would use their own CPUs, and the service would have all of these.
func lowerPriority() error {
	for range 2 { // threads that came meanwhile
		threads, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return err
		}
		for _, thread := range threads {
			id, err := strconv.Atoi(thread.Name())
			if err != nil {
				return err
			}
			idle := &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_IDLE}
			if err := unix.SchedSetAttr(id, idle, 0); err != nil && !errors.Is(err, unix.ESRCH) {
				return err
			}
		}
	}
	return nil
}
