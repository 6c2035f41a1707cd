package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

const (
	firstPause = 200 * time.Millisecond
	longPause  = 5 * time.Second
	// shortLife is how long a process must run for its end not to count as one
	// more failed attempt.
	shortLife   = 5 * time.Second
	maxAttempts = 8
)

// running is a process that was started and answers.
type running interface {
	PID() int
	Done() <-chan struct{}
	Outcome() string
	Stop(ctx context.Context) error
}

// devService is one process that is kept running.
type devService struct {
	name    string
	launch  func(ctx context.Context) (running, error)
	changed func() error // called after each restart
	say     func(format string, args ...any)

	current running
	began   time.Time
}

func (d *dev) service(name string, launch func(context.Context) (running, error)) *devService {
	return &devService{name: name, launch: launch, changed: d.publish, say: d.say}
}

// startTogether starts the services at the same time and adds those that came up
// to the ones that stop ends.
func (d *dev) startTogether(ctx context.Context, services ...*devService) error {
	errs := make([]error, len(services))
	var wait sync.WaitGroup
	for i, s := range services {
		wait.Go(func() { errs[i] = s.start(ctx) })
	}
	wait.Wait()
	for i, s := range services {
		if errs[i] == nil {
			d.services = append(d.services, s)
		}
	}
	return errors.Join(errs...)
}

func (s *devService) start(ctx context.Context) error {
	begin := time.Now()
	r, err := s.launch(ctx)
	if err != nil {
		return err
	}
	s.current, s.began = r, time.Now()
	s.say("%-10s ready (process %d, %s)", s.name, r.PID(), since(begin))
	return nil
}

// keepUp restarts the process whenever it ends, until ctx does. When it keeps
// ending or cannot be started again, fail gets the reason.
func (s *devService) keepUp(ctx context.Context, fail context.CancelCauseFunc) {
	attempts, pause := 0, firstPause
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.current.Done():
		}
		reason := errors.New("it ended: " + s.current.Outcome())
		if time.Since(s.began) > shortLife {
			attempts, pause = 0, firstPause
		}
		_ = s.current.Stop(ctx) // releases what the ended process held
		for {
			if ctx.Err() != nil {
				return
			}
			if attempts++; attempts > maxAttempts {
				fail(fmt.Errorf("%s does not stay up, giving up after %d attempts: %w", s.name, maxAttempts, reason))
				return
			}
			s.say("%-10s is down (%v); starting it again", s.name, firstLine(reason))
			select {
			case <-ctx.Done():
				return
			case <-time.After(pause):
			}
			pause = min(2*pause, longPause)
			if reason = s.start(ctx); reason == nil {
				break
			}
		}
		if err := s.changed(); err != nil {
			fail(err)
			return
		}
	}
}

func (s *devService) stop(ctx context.Context) error {
	begin := time.Now()
	if err := s.current.Stop(ctx); err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	s.say("%-10s stopped (%s)", s.name, since(begin))
	return nil
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
