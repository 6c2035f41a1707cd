package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"levy/internal/local"
)

// report is everything that a run found out.
type report struct {
	At       time.Time `json:"at"`
	Go       string    `json:"go"`
	CPUs     int       `json:"cpus"`
	Revision string    `json:"revision,omitempty"`
	Postgres string    `json:"postgres"`
	Figures  []figure  `json:"figures"`
	Phases   []*phase  `json:"phases"`
	Growth   *growth   `json:"growth,omitempty"`
	Notes    []string  `json:"notes"`

	plain, pipelined, single *phase // references
	accepted, processed      *phase
	drained                  *phase // the sales accepted while no worker ran

	steps                        *phase
	bareUpdates, activityUpdates *phase    // references
	bareIdle                     latencies // of one client
	eventsOfEight, bytesOfEight  int64     // of a history
}

// figure is one line of the result.
type figure struct {
	Name          string  `json:"name"`
	Unit          string  `json:"unit"`
	Levy          float64 `json:"levy"`
	Reference     float64 `json:"reference,omitempty"`
	ReferenceName string  `json:"reference_name,omitempty"`
	Ratio         float64 `json:"ratio,omitempty"`
	Aim           string  `json:"aim,omitempty"`
	Met           *bool   `json:"met,omitempty"`
}

// phase is a stretch of work: how much, how fast, and who used the CPUs.
type phase struct {
	Name      string  `json:"name"`
	Clients   int     `json:"clients,omitempty"`
	Count     int     `json:"count"`
	Seconds   float64 `json:"seconds"`
	PerSecond float64 `json:"per_second"`
	P50       float64 `json:"p50_ms,omitempty"`
	P99       float64 `json:"p99_ms,omitempty"`
	Batches   int     `json:"batches,omitempty"`
	CPU       cpu     `json:"cpu_seconds"`
}

func newReport() *report {
	r := &report{At: time.Now().UTC().Truncate(time.Second), Go: runtime.Version(), CPUs: runtime.NumCPU()}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				r.Revision = setting.Value
			}
		}
	}
	return r
}

func newPhase(clients int, all latencies, took time.Duration, used cpu) phase {
	p := phase{Clients: clients, Seconds: took.Seconds(), CPU: used, P50: all.percentile(50), P99: all.percentile(99)}
	p.count(len(all))
	return p
}

func (p *phase) count(n int) {
	p.Count = n
	p.PerSecond = float64(n) / p.Seconds
}

// percentile is in milliseconds, the smallest latency that so many percent do not
// exceed.
func (l latencies) percentile(percent int) float64 {
	if len(l) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(l))
	i := (len(sorted)*percent + 99) / 100
	return float64(sorted[max(0, i-1)].Microseconds()) / 1000
}

func (p phase) String() string {
	s := fmt.Sprintf("%d in %.1f s: %.0f/s", p.Count, p.Seconds, p.PerSecond)
	if p.P50 > 0 {
		s += fmt.Sprintf(", p50 %.1f ms, p99 %.1f ms", p.P50, p.P99)
	}
	if p.Batches > 0 {
		s += fmt.Sprintf(", %d batches of %.0f", p.Batches, float64(p.Count)/float64(p.Batches))
	}
	if len(p.CPU) > 0 {
		s += "; CPU seconds:"
		for _, name := range slices.Sorted(maps.Keys(p.CPU)) {
			s += fmt.Sprintf(" %s %.1f", name, p.CPU[name])
		}
	}
	return s
}

func (r *report) add(name string, p phase) *phase {
	p.Name = name
	r.Phases = append(r.Phases, &p)
	return &p
}

func (r *report) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// atMost adds a figure that should not be larger than the aim.
func (r *report) atMost(name, unit string, value, aim float64) {
	met := value <= aim
	r.Figures = append(r.Figures, figure{Name: name, Unit: unit, Levy: value, Aim: fmt.Sprintf("<= %g", aim), Met: &met})
}

// beside adds a figure without an aim; referenceName is empty for no reference.
func (r *report) beside(name, unit string, value float64, referenceName string, reference float64) {
	f := figure{Name: name, Unit: unit, Levy: value, ReferenceName: referenceName, Reference: reference}
	if reference > 0 {
		f.Ratio = value / reference
	}
	r.Figures = append(r.Figures, f)
}

// compare adds rates side by side, when both were measured; an aim of 0 is none.
func (r *report) compare(name string, p *phase, referenceName string, reference *phase, aim float64) {
	if p == nil || reference == nil {
		return
	}
	f := figure{
		Name: name, Unit: "1/s", Levy: p.PerSecond,
		ReferenceName: referenceName, Reference: reference.PerSecond, Ratio: p.PerSecond / reference.PerSecond,
	}
	if aim > 0 {
		met := f.Ratio >= aim
		f.Aim, f.Met = fmt.Sprintf(">= %gx", aim), &met
	}
	r.Figures = append(r.Figures, f)
}

// quiet is the share of the CPUs that the rest of the machine may use.
const quiet = 0.1

// conclude puts Levy's rates beside those of the other designs.
func (r *report) conclude() {
	for _, p := range r.Phases {
		if share := p.CPU["others"] / p.Seconds / float64(r.CPUs); share > quiet {
			r.note("The rest of the machine used %.0f%% of the CPUs during %q: "+
				"its rate and latencies are those of a busy machine.", share*100, p.Name)
		}
	}
	r.compare("accepted", r.accepted, "pgbench, same rows", r.plain, 1.2)
	r.compare("accepted", r.accepted, "pgbench, same rows, pipelined", r.pipelined, 0)
	r.compare("PROCESSED, end to end", r.processed, "pgbench, same rows", r.plain, 0.6)
	r.compare("PROCESSED, end to end", r.processed, "pgbench, same rows, pipelined", r.pipelined, 0)
	r.compare("PROCESSED, end to end", r.processed, "one workflow per transaction", r.single, 60)
	// The other design is given transactions that are accepted: this is what it does, too.
	r.compare("accepted before, processed", r.drained, "one workflow per transaction", r.single, 60)
	r.compare("steps of onboardings", r.steps, "bare updates", r.bareUpdates, 0)
	r.compare("steps of onboardings", r.steps, "updates with an empty activity", r.activityUpdates, 0)
}

func (r *report) markdown() string {
	var s strings.Builder
	fmt.Fprintf(&s, "# Figures of %s\n\n%d CPUs, %s, PostgreSQL %s with fsync, everything on this machine.\n\n",
		r.At.Format(time.RFC3339), r.CPUs, r.Go, r.Postgres)
	s.WriteString("| figure | Levy | reference | ratio | aim | met |\n|---|---|---|---|---|---|\n")
	for _, f := range r.Figures {
		reference, ratio, met := "", "", ""
		if f.ReferenceName != "" {
			reference = fmt.Sprintf("%s (%s)", number(f.Reference), f.ReferenceName)
			ratio = number(f.Ratio)
		}
		if f.Met != nil {
			met = map[bool]string{true: "yes", false: "NO"}[*f.Met]
		}
		fmt.Fprintf(&s, "| %s, %s | %s | %s | %s | %s | %s |\n", f.Name, f.Unit, number(f.Levy), reference, ratio, f.Aim, met)
	}
	r.phaseTable(&s)
	s.WriteString(r.Growth.markdown())
	s.WriteString("\n")
	for _, note := range r.Notes {
		fmt.Fprintf(&s, "- %s\n", note)
	}
	return s.String()
}

// phaseTable shows what each phase did and, per transaction, whose CPU time it cost.
func (r *report) phaseTable(s *strings.Builder) {
	who := []string{"api", "echo", "worker", "postgres", "temporal", "bench"}
	s.WriteString("\nCPU time in ms per transaction. bench is the client (pgbench, or the worker of the other design); " +
		"sum is all of these, " +
		"and fits is the rate at which the sum fills the CPUs, " +
		"which depends least on what else the machine does: others.\n\n")
	fmt.Fprintf(s, "| phase | clients | count | 1/s | p50 ms | p99 ms | batch | %s | sum | fits 1/s | others |\n|%s\n",
		strings.Join(who, " | "), strings.Repeat("---|", 10+len(who)))
	for _, p := range r.Phases {
		batch := ""
		if p.Batches > 0 {
			batch = number(float64(p.Count) / float64(p.Batches))
		}
		fmt.Fprintf(s, "| %s | %d | %d | %s | %s | %s | %s |", p.Name, p.Clients, p.Count, number(p.PerSecond),
			number(p.P50), number(p.P99), batch)
		sum := 0.0
		for _, name := range who {
			each := p.CPU[name] * 1000 / float64(p.Count)
			fmt.Fprintf(s, " %s |", number(each))
			sum += each
		}
		fits := ""
		if sum > 0 {
			fits = number(float64(r.CPUs) * 1000 / sum)
		}
		fmt.Fprintf(s, " %s | %s | %s |\n", number(sum), fits, number(p.CPU["others"]*1000/float64(p.Count)))
	}
	s.WriteString("\n")
}

// number writes three significant digits, and nothing for nothing.
func number(x float64) string {
	switch {
	case x == 0:
		return ""
	case x >= 100:
		return fmt.Sprintf("%.0f", x)
	case x >= 10:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

func (r *report) write(path string) error {
	content, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := local.WriteFileAtomic(path+".json", append(content, '\n'), 0o644); err != nil {
		return err
	}
	return local.WriteFileAtomic(path+".md", []byte(r.markdown()), 0o644)
}
