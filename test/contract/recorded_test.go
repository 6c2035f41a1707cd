package contract_test

import (
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "record the answers to all callers anew, see TestEveryCallerIsAnsweredAsRecorded")

// recordedAnswers has one line for each operation, step and answer, with the callers that get this answer. A group
// without names is all of its callers that try the step. To record an intended change:
//
//	go test ./test/contract -run TestEveryCallerIsAnsweredAsRecorded -update
const recordedAnswers = "testdata/answers_to_callers.txt"

// callersColumn is where the callers begin in a line.
const callersColumn = 77

// Every caller gets the recorded answer to a call of every operation with every fault. So neither a right nor the order
// of the checks changes unnoticed.
func TestEveryCallerIsAnsweredAsRecorded(t *testing.T) {
	t.Parallel()
	in := install(t)
	l := &ladder{cast: newCast(t, in)}
	got := l.lines(l.climb(overHTTP{in}))
	require.NotContains(t, in.log.String(), `"level":"ERROR"`)
	if *update {
		require.NoError(t, os.WriteFile(recordedAnswers, []byte(strings.Join(got, "\n")+"\n"), 0o644))
		return
	}
	want := recordedLines(t)
	require.Empty(t, without(want, got), "answers that are recorded and no longer given")
	require.Empty(t, without(got, want), "answers that are given and not recorded")
}

// recordedLines reads the table.
func recordedLines(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(recordedAnswers)
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// without lists the lines that others do not have, a screen of them at most.
func without(lines, others []string) (only []string) {
	known := map[string]bool{}
	for _, line := range others {
		known[line] = true
	}
	for _, line := range lines {
		if !known[line] {
			only = append(only, line)
		}
	}
	return only[:min(len(only), 40)]
}

// question is a call of the table: the step of an operation that a caller tries.
type question struct {
	operation string
	step      rung
	who       *caller
}

// climb tries all operations through a door and returns the replies. archiveOrganization comes last: it ends sessions and
// keys of the callers.
func (l *ladder) climb(d door) map[question]reply {
	told, beyond := map[question]reply{}, l.beyondQuota(d)
	all := slices.Sorted(maps.Keys(l.contract.operations))
	last := slices.Index(all, "archiveOrganization")
	for _, id := range append(slices.Delete(slices.Clone(all), last, last+1), all[last]) {
		op := l.contract.operations[id]
		l.endOtherKeys()
		for _, who := range l.callersOf(op) {
			for _, r := range l.rungs(op, who) {
				answer, ok := beyond[id]
				if !who.limited {
					answer, ok = d.try(who, l.attempt(op, who, r))
				}
				if !ok {
					continue
				}
				told[question{id, r, who}] = answer
				if answer.status < 400 {
					l.spent(op, who)
				}
			}
		}
	}
	l.t.Logf("%d calls", len(told))
	return told
}

// beyondQuota tries the first step of all operations as the caller whose quota is used up. Such answers are delayed, so
// the calls go out together.
func (l *ladder) beyondQuota(d door) map[string]reply {
	who := l.callers[slices.IndexFunc(l.callers, func(who *caller) bool { return who.limited })]
	answers := map[string]reply{}
	var mu sync.Mutex
	var calls sync.WaitGroup
	for _, id := range slices.Sorted(maps.Keys(l.contract.operations)) {
		op := l.contract.operations[id]
		if public[id] {
			continue
		}
		a := l.attempt(op, who, l.rungs(op, who)[0])
		calls.Go(func() {
			answer, ok := d.try(who, a)
			if ok && answer.status != http.StatusTooManyRequests { // that was the one call of this minute
				answer, ok = d.try(who, a)
			}
			mu.Lock()
			defer mu.Unlock()
			if ok {
				answers[id] = answer
			}
		})
	}
	calls.Wait()
	return answers
}

// callersOf lists the callers that try an operation: those without a valid key where none is needed, otherwise all.
func (l *ladder) callersOf(op operation) []*caller {
	if public[op.OperationID] {
		return l.callers[:2]
	}
	callers := slices.Clone(l.callers)
	slices.SortStableFunc(callers, func(a, b *caller) int { // those about one organization after each other
		return strings.Compare(a.owner.organization, b.owner.organization)
	})
	return callers
}

// lines writes replies as lines of the table, by operation.
func (l *ladder) lines(told map[question]reply) (lines []string) {
	steps := map[string]map[rung]map[*caller]reply{}
	for q, answer := range told {
		if steps[q.operation] == nil {
			steps[q.operation] = map[rung]map[*caller]reply{}
		}
		if steps[q.operation][q.step] == nil {
			steps[q.operation][q.step] = map[*caller]reply{}
		}
		steps[q.operation][q.step][q.who] = answer
	}
	for _, id := range slices.Sorted(maps.Keys(steps)) {
		for _, r := range slices.Sorted(maps.Keys(steps[id])) {
			lines = append(lines, l.linesOf(id, r, steps[id][r])...)
		}
	}
	return lines
}

// linesOf are those of one step of an operation. A group of callers with the same answer is named once.
func (l *ladder) linesOf(id string, r rung, told map[*caller]reply) (lines []string) {
	answers := map[string]reply{}
	for _, answer := range told {
		answers[answer.String()] = answer
	}
	for _, answer := range slices.Sorted(maps.Keys(answers)) {
		var groups []string
		names := map[string][]string{}
		others := map[string]bool{}
		for _, who := range l.callers {
			switch got, tried := told[who]; {
			case !tried:
			case got != answers[answer]:
				others[who.group] = true
			default:
				if names[who.group] == nil {
					groups = append(groups, who.group)
				}
				names[who.group] = append(names[who.group], who.name)
			}
		}
		for i, group := range groups {
			if others[group] {
				groups[i] += " (" + strings.Join(names[group], ", ") + ")"
			}
		}
		lines = append(lines, fmt.Sprintf("%-33s %-9s %-32s %s", id, rungNames[r], answer, strings.Join(groups, "; ")))
	}
	return lines
}
