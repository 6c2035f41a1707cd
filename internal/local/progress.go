package local

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"sync/atomic"
	"time"
)

// ProgressEvery is how often slow work says how far it is.
const ProgressEvery = 5 * time.Second

// RunWithProgress runs a slow command and writes a line when it starts, every
// few seconds, and when it ends. The command's own output is shown only when it
// fails; count, if set, sees each line of it and describes what was reached.
func RunWithProgress(out io.Writer, what string, cmd *exec.Cmd, count func(line []byte) (status string)) error {
	begin := time.Now()
	fmt.Fprintf(out, "%s ...\n", what)
	var output bytes.Buffer
	var status atomic.Pointer[string]
	done := make(chan error, 1)
	go func() {
		done <- runByLine(cmd, func(line []byte) {
			output.Write(line)
			if count != nil {
				s := ", " + count(line)
				status.Store(&s)
			}
		})
	}()
	tick := time.NewTicker(ProgressEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			reached := ""
			if s := status.Load(); s != nil {
				reached = *s
			}
			fmt.Fprintf(out, "  %s: %d s%s\n", what, int(time.Since(begin).Seconds()), reached)
		case err := <-done:
			if err != nil {
				return fmt.Errorf("%s: %w\n%s", what, err, LastLines(output.Bytes(), 15))
			}
			fmt.Fprintf(out, "  %s: done in %.1f s\n", what, time.Since(begin).Seconds())
			return nil
		}
	}
}

// runByLine runs a command and hands on each line of its output.
func runByLine(cmd *exec.Cmd, each func(line []byte)) error {
	r, w := io.Pipe()
	cmd.Stdout, cmd.Stderr = w, w
	read := make(chan struct{})
	go func() {
		defer close(read)
		lines := bufio.NewReader(r)
		for {
			line, err := lines.ReadBytes('\n')
			if len(line) > 0 {
				each(line)
			}
			if err != nil {
				return
			}
		}
	}()
	err := cmd.Run()
	w.Close()
	<-read
	return err
}
