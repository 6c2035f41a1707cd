package failpoint

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// kind is what happens at a point.
type kind string

const (
	skip    kind = "skip"
	kill    kind = "kill"
	fail    kind = "error"
	timeout kind = "timeout"
	sleep   kind = "sleep"
)

// term is one thing that happens, some number of times.
type term struct {
	kind  kind
	pause time.Duration
	left  int // negative: for ever
}

type points struct {
	mu    sync.Mutex
	terms map[string][]term
}

// next uses up one time of the point's current term.
func (p *points) next(point string) term {
	p.mu.Lock()
	defer p.mu.Unlock()
	terms := p.terms[point]
	for i := range terms {
		if terms[i].left != 0 {
			if terms[i].left > 0 {
				terms[i].left--
			}
			return terms[i]
		}
	}
	return term{kind: skip}
}

func parse(text string) (*points, error) {
	p := &points{terms: map[string][]term{}}
	for part := range strings.SplitSeq(text, ";") {
		if part == "" {
			continue
		}
		name, list, ok := strings.Cut(part, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("%q is not of the form point=term", part)
		}
		for item := range strings.SplitSeq(list, ",") {
			t, err := parseTerm(item)
			if err != nil {
				return nil, fmt.Errorf("point %s: %w", name, err)
			}
			p.terms[name] = append(p.terms[name], t)
		}
	}
	return p, nil
}

func parseTerm(text string) (term, error) {
	t := term{left: -1}
	what, times, limited := strings.Cut(text, "*")
	if limited {
		n, err := strconv.Atoi(times)
		if err != nil || n < 1 {
			return t, fmt.Errorf("%q does not say how often", text)
		}
		t.left = n
	}
	if pause, ok := strings.CutPrefix(what, "sleep("); ok {
		d, err := time.ParseDuration(strings.TrimSuffix(pause, ")"))
		if err != nil || !strings.HasSuffix(pause, ")") {
			return t, fmt.Errorf("%q does not say how long", text)
		}
		t.kind, t.pause = sleep, d
		return t, nil
	}
	t.kind = kind(what)
	switch t.kind {
	case skip, kill, fail, timeout:
		return t, nil
	case sleep:
	}
	return t, fmt.Errorf("%q is not skip, kill, error, timeout or sleep(duration)", text)
}
