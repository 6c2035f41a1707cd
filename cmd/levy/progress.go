package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows how far long work is: a bar on a terminal, a line now and then
// elsewhere.
type progress struct {
	out         io.Writer
	what        string
	done, total int64
	bar         *progressbar.ProgressBar
	printed     time.Time
}

// lineEvery is how often progress outside a terminal is printed.
const lineEvery = 5 * time.Second

// newProgress begins to show progress on out. total counts whatever add counts, 0
// when it is not known.
func newProgress(out io.Writer, what string, total int64) *progress {
	p := &progress{out: out, what: what, total: total, printed: time.Now()}
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		if total == 0 {
			total = -1 // a spinner
		}
		p.bar = progressbar.NewOptions64(total, progressbar.OptionSetWriter(out), progressbar.OptionSetDescription(what),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(),
			progressbar.OptionSetPredictTime(true))
	}
	return p
}

// add counts n more as done.
func (p *progress) add(n int64) {
	p.done += n
	if p.bar != nil {
		_ = p.bar.Add64(n) // a terminal that does not show it does not stop the work
		return
	}
	if time.Since(p.printed) < lineEvery {
		return
	}
	p.printed = time.Now()
	if p.total > 0 {
		fmt.Fprintf(p.out, "%s: %d of %d (%d %%)\n", p.what, p.done, p.total, p.done*100/p.total)
		return
	}
	fmt.Fprintf(p.out, "%s: %d\n", p.what, p.done)
}

// end takes the bar away.
func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
