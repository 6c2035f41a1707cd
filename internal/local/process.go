package local

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// Process is a child that ends with its parent at the latest.
type Process struct {
	cmd  *exec.Cmd
	done chan struct{}
	err  error
}

// StartProcess starts cmd in its own process group, so that a Ctrl-C in the
// terminal reaches the parent only. On Linux the kernel sends onParentDeath to
// the child when this process dies without having stopped it.
func StartProcess(cmd *exec.Cmd, onParentDeath syscall.Signal) (*Process, error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
	tieToParent(cmd.SysProcAttr, onParentDeath)
	p := &Process{cmd: cmd, done: make(chan struct{})}
	started := make(chan error)
	go func() {
		// The death signal follows the thread that forked, not the process:
		// the thread must live as long as the child.
		runtime.LockOSThread()
		if err := cmd.Start(); err != nil {
			started <- err
			return
		}
		started <- nil
		p.err = cmd.Wait()
		close(p.done)
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// StartLogged is StartProcess with the output of the child in the file at path, behind what that has already.
func StartLogged(cmd *exec.Cmd, path string, onParentDeath syscall.Signal) (*Process, error) {
	log, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	return StartProcess(cmd, onParentDeath)
}

// PID is the process id of the child.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Done is closed when the child has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err says how the child ended, nil for exit code 0. Call it after Done only.
func (p *Process) Err() error { return p.err }

// Outcome says in words how the child ended. Call it after Done only.
func (p *Process) Outcome() string {
	if p.err == nil {
		return "exit code 0"
	}
	return p.err.Error()
}

// Signal sends sig to the child; a child that has ended is not an error.
func (p *Process) Signal(sig syscall.Signal) {
	select {
	case <-p.done:
	default:
		_ = p.cmd.Process.Signal(sig)
	}
}

// Stop asks the child to end with sig, and kills it when it has not ended after
// grace or when ctx ends first. The error says that it had to be killed.
func (p *Process) Stop(ctx context.Context, sig syscall.Signal, grace time.Duration) error {
	p.Signal(sig)
	if p.Wait(ctx, grace) {
		return nil
	}
	p.Signal(syscall.SIGKILL)
	<-p.done
	return errors.New("did not stop in time and was killed")
}

// Wait reports whether the child ended within d and before ctx did.
func (p *Process) Wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.done:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}
