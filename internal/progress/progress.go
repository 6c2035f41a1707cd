// Package progress shows how far long work is: a bar with rate and time left on a terminal, a line now and then elsewhere.
package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Unit names the counted things, such as rows.
type Unit int

// Units.
const (
	Items Unit = iota
	Bytes
)

// Progress is that of one piece of work. Several goroutines may add to it.
type Progress struct {
	mu          sync.Mutex
	out         io.Writer
	what        string
	unit        Unit
	done, total int64
	bar         *progressbar.ProgressBar
	began       time.Time
	printed     time.Time
	now         func() time.Time
}

// LineEvery is how often progress outside a terminal is printed.
const LineEvery = 5 * time.Second

// Begin begins to show progress on out, which nil and io.Discard keep silent. total is that of what Add counts, 0 where it is not known.
func Begin(out io.Writer, what string, unit Unit, total int64) *Progress {
	if out == nil {
		out = io.Discard
	}
	p := &Progress{out: out, what: what, unit: unit, total: total, now: time.Now}
	p.began = p.now()
	p.printed = p.began
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		if total == 0 {
			total = -1 // a spinner
		}
		p.bar = progressbar.NewOptions64(total, progressbar.OptionSetWriter(out), progressbar.OptionSetDescription(what),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionShowCount(), progressbar.OptionShowIts(),
			progressbar.OptionShowBytes(unit == Bytes), progressbar.OptionClearOnFinish(), progressbar.OptionSetPredictTime(true))
	}
	return p
}

// Add counts n more as done.
func (p *Progress) Add(n int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += n
	if p.total > 0 && p.done > p.total { // it was an estimate
		p.total = 0
		if p.bar != nil {
			p.bar.ChangeMax64(-1)
		}
	}
	if p.bar != nil {
		_ = p.bar.Add64(n) // a terminal that does not show it does not stop the work
		return
	}
	if p.now().Sub(p.printed) >= LineEvery {
		p.printed = p.now()
		fmt.Fprintln(p.out, p.line())
	}
}

// line tells the amount of work done, the rate, and the time left at that rate.
func (p *Progress) line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", p.what, p.amount(p.done))
	rate := float64(p.done) / max(p.now().Sub(p.began).Seconds(), 0.001)
	if p.total > 0 {
		fmt.Fprintf(&b, " of %s (%d %%)", p.amount(p.total), p.done*100/p.total)
	}
	if p.done > 0 {
		fmt.Fprintf(&b, ", %s/s", p.amount(int64(rate)))
	}
	if left := p.total - p.done; left > 0 && rate > 0 {
		fmt.Fprintf(&b, ", %s left", (time.Duration(float64(left)/rate) * time.Second).String())
	}
	return b.String()
}

func (p *Progress) amount(n int64) string {
	switch {
	case p.unit == Items || n < 1<<10:
		return fmt.Sprint(n)
	case n < 10<<20:
		return fmt.Sprintf("%d KiB", n>>10)
	case n < 10<<30:
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d GiB", n>>30)
}

// End takes the bar away.
func (p *Progress) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
