package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestProgressOutsideATerminalIsAPlainLineNowAndThen(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := newProgress(&out, "GAB2026Q2.csv", 200)
	p.add(50)
	require.Empty(t, out.String())
	p.printed = p.printed.Add(-time.Hour)
	p.add(50)
	p.end()
	require.Equal(t, "GAB2026Q2.csv: 100 of 200 (50 %)\n", out.String())
}
