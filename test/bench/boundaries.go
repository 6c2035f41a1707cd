package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"levy/store"
	"levy/tax"
	"levy/tax/postal"
)

// The streets of a generated boundary file: each ZIP has streets with blocks of 100 house numbers.
const (
	firstBoundaryZIP = 30001
	boundaryZIPs     = 1998
	blocksOfStreet   = 60
	boundaryLookUps  = 20_000
)

// measureBoundaries imports two boundary files, one a hundredth of the other, and compares the memory of both imports.
// Then it looks up addresses of the large one, one at a time.
func (b *bench) measureBoundaries(ctx context.Context) error {
	b.say("Import of a boundary file of %d records", b.Boundaries)
	var memories []float64
	for i, records := range []int{b.Boundaries / 100, b.Boundaries} {
		file := filepath.Join(b.dir, fmt.Sprintf("GAB2026Q4NOV%02d.csv", i+1))
		size, err := writeBoundaries(file, records)
		if err != nil {
			return err
		}
		memory, took, err := b.importBoundaries(ctx, file)
		if err != nil {
			return err
		}
		if err := os.Remove(file); err != nil {
			return err
		}
		b.say("  %.0f MB in %.1f s, at most %.0f MB of memory", size, took.Seconds(), memory)
		memories = append(memories, memory)
	}
	b.report.atMost(fmt.Sprintf("memory of the import of %d boundary records, beside a hundredth of them", b.Boundaries), "x",
		memories[1]/memories[0], 1.2)
	return b.lookUpBoundaries(ctx)
}

// writeBoundaries writes a boundary file of Georgia in the form of the member states, and returns its size in MB.
func writeBoundaries(path string, records int) (size float64, err error) {
	file, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	out := bufio.NewWriter(file)
	for i := range records {
		zip := firstBoundaryZIP + i%boundaryZIPs
		block := i / boundaryZIPs
		low := 100*(block%blocksOfStreet) + 1
		fields := make([]string, 89)
		for column, value := range map[int]string{
			1: "A", 2: "20240101", 3: "99991231", 4: fmt.Sprint(low), 5: fmt.Sprint(low + 98), 6: "B",
			8: streetOf(block / blocksOfStreet), 9: "ST", 16: fmt.Sprint(zip), 23: "13", 25: fmt.Sprintf("%03d", 1+2*(zip%159)),
		} {
			fields[column-1] = value
		}
		if _, err := out.WriteString(strings.Join(fields, ",") + "\n"); err != nil {
			return 0, err
		}
	}
	if err := out.Flush(); err != nil {
		return 0, err
	}
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	return float64(info.Size()) / 1e6, nil
}

func streetOf(n int) string { return fmt.Sprintf("STREET%d", n) }

// importBoundaries returns the most memory, in MB, that the command held. It asks the system while the command runs,
// because the figure after its end also counts this program, which started it.
func (b *bench) importBoundaries(ctx context.Context, file string) (most float64, took time.Duration, err error) {
	cmd := exec.CommandContext(ctx, b.program, "content", "import-boundaries", file)
	cmd.Env = b.env
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			if err != nil {
				return 0, 0, fmt.Errorf("levy content import-boundaries: %w: %s", err, said.Bytes())
			}
			return most, time.Since(began), nil
		case <-time.After(50 * time.Millisecond):
			if _, peak, err := memory(cmd.Process.Pid); err == nil { // it may end meanwhile
				most = max(most, peak)
			}
		}
	}
}

func (b *bench) lookUpBoundaries(ctx context.Context) error {
	s, err := store.Open(ctx, store.Options{URL: b.postgres.URL("")})
	if err != nil {
		return err
	}
	defer s.Close()
	var load int64
	if err := b.db.QueryRow(ctx, "SELECT max(id) FROM boundary_loads").Scan(&load); err != nil {
		return err
	}
	streets := max(1, b.Boundaries/boundaryZIPs/blocksOfStreet)
	random := rand.New(rand.NewPCG(1, 2))
	var all latencies
	found := 0
	for range boundaryLookUps {
		key := tax.BoundaryKey{
			Load: load, ZIP: fmt.Sprint(firstBoundaryZIP + random.IntN(boundaryZIPs)), Day: 20261130,
			Street: postal.ParseStreet(fmt.Sprintf("%d %s St", 1+random.IntN(99), streetOf(random.IntN(streets)))),
		}
		began := time.Now()
		matches, err := s.Content.MatchBoundaries(ctx, []tax.BoundaryKey{key})
		if err != nil {
			return err
		}
		all = append(all, time.Since(began))
		if matches[0].Resolution == tax.ResolutionAddress {
			found++
		}
	}
	if found != boundaryLookUps {
		return fmt.Errorf("%d of %d streets are found", found, boundaryLookUps)
	}
	b.say("  look-up of a street: p50 %.2f ms, p99 %.2f ms", all.percentile(50), all.percentile(99))
	b.report.atMost("look-up of a street in a boundary file, p50", "ms", all.percentile(50), 1)
	b.report.atMost("look-up of a street in a boundary file, p99", "ms", all.percentile(99), 1)
	return nil
}
