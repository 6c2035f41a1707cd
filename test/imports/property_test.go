package imports_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/contract/validate"
	"levy/models"
	"levy/service"
	"levy/store/storetest"
	"levy/test/seed"
)

// importer imports files without a workflow: chunk by chunk, of any size, with lost results and repeated chunks.
type importer struct {
	*storetest.Bundle
	t      *testing.T
	random *rand.Rand
	rows   *service.ImportRows
}

const ordersHeader = "external_id,type,date,customer_external_id,country,state,postal_code,external_product_id,amount\n"

var ordersColumns = strings.Split(strings.TrimSpace(ordersHeader), ",")

// fileRow is a row of a file: a line of an order.
type fileRow struct {
	order   string // as it is recorded
	spelled string
	amount  string // "x" in an invalid row
	zip     string
}

func fileOf(rows []fileRow) string {
	var b strings.Builder
	b.WriteString(ordersHeader)
	for _, r := range rows {
		fmt.Fprintf(&b, "%s,SALE,2026-05-15T10:00:00Z,C-1,US,MA,%s,P-1,%s\n", r.spelled, r.zip, r.amount)
	}
	return b.String()
}

// spellings are the characters that an identifier loses.
var spellings = []string{"", "", "", " ", "\t", "\u00a0", "\u3000", "\u2028", "\u0085", "\u200b", "\u2060", "\ufeff"}

func (m *importer) spelled(order string) string {
	return spellings[m.random.IntN(len(spellings))] + order + spellings[m.random.IntN(len(spellings))]
}

// draw returns the rows of some orders, in any order. lines are the lines that an order had in earlier files.
func (m *importer) draw(lines map[string][]string) []fileRow {
	var rows []fileRow
	for n := range 3 + m.random.IntN(12) {
		order := fmt.Sprintf("ORDER-%d", n+m.random.IntN(8))
		if slices.ContainsFunc(rows, func(r fileRow) bool { return r.order == order }) {
			continue
		}
		amounts := slices.Clone(lines[order])
		if amounts == nil || m.random.IntN(4) == 0 { // another content than before
			amounts = nil
			for range 1 + m.random.IntN(5) {
				amounts = append(amounts, fmt.Sprintf("%d.00", 1+m.random.IntN(3))) // some lines are equal
			}
		}
		if m.random.IntN(8) == 0 {
			amounts[m.random.IntN(len(amounts))] = "x"
		}
		zip := []string{"02108", "2108"}[m.random.IntN(2)]
		for _, amount := range amounts {
			rows = append(rows, fileRow{order: order, spelled: m.spelled(order), amount: amount, zip: zip})
		}
	}
	if m.random.IntN(3) > 0 { // else the rows of each order are adjacent
		m.random.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	}
	return rows
}

// upload stores a file in pieces of any size.
func (m *importer) upload(text string) models.Import {
	ctx, id := m.t.Context(), models.NewID(models.PrefixBatch)
	require.NoError(m.t, m.Store.Imports.BeginImport(ctx, m.Scope, id))
	for at, size := 0, 1+m.random.IntN(300); at < len(text); at += size {
		piece := []byte(text[at:min(at+size, len(text))])
		require.NoError(m.t, m.Store.Imports.AddImportPiece(ctx, m.Scope, id, int64(at), piece))
	}
	sum := sha256.Sum256([]byte(text))
	im, err := m.Store.Imports.QueueImport(ctx, m.Scope, models.Actor{APIKeyID: "akey_1", RequestID: "req_1"},
		models.Import{
			ID: id, Kind: models.ImportTransactions, Size: int64(len(text)), SHA256: sum[:], Separator: ",", Columns: ordersColumns,
			HeaderSize: int64(len(ordersHeader)), HeaderLines: 1, Passes: 1,
		}, 3)
	require.NoError(m.t, err)
	return im
}

// run imports a file until it is complete, or is cancelled before one of the next chunks. A chunk may be stored and
// its result lost, or be stored twice. The import may be paused and resumed between chunks.
func (m *importer) run(im models.Import, cancelled bool) models.Import {
	ctx, ref := m.t.Context(), storetest.ImportRef(im)
	for {
		im, err := m.Store.Imports.OpenImport(ctx, ref)
		require.NoError(m.t, err)
		if im.Status != models.ImportRunning {
			return im
		}
		to := models.ImportStatus("")
		switch n := m.random.IntN(6); {
		case n == 0 && cancelled:
			to = models.ImportCancelled
		case n == 1:
			to = models.ImportPaused
		}
		if to != "" {
			_, err := m.Store.Imports.TransitionImport(ctx, m.Scope, models.Actor{}, im.ID, to)
			require.NoError(m.t, err)
		}
		if to == models.ImportPaused {
			_, err := m.Store.Imports.TransitionImport(ctx, m.Scope, models.Actor{}, im.ID, models.ImportQueued)
			require.NoError(m.t, err)
			continue
		}
		for range 1 + m.random.IntN(2) { // the second one finds the import changed
			err := m.store(m.chunk(&im))
			require.True(m.t, err == nil || errors.Is(err, models.ErrImportChanged), "%v", err)
		}
	}
}

// chunk reads the next transactions of a file.
func (m *importer) chunk(im *models.Import) *models.ImportChunk {
	ctx := m.t.Context()
	content := m.Store.Imports.ImportContent(ctx, storetest.ImportRef(*im), im.ByteOffset, im.Size)
	sheet := m.rows.Open(im, content, m.Store.Imports.ImportParts(ctx, im))
	chunk := &models.ImportChunk{Import: im, From: im.ImportPosition, Explain: m.rows.Explain(im)}
	for range 1 + m.random.IntN(6) {
		var err error
		if im.Pass == 0 {
			var part *models.ImportPart
			if part, err = sheet.NextPart(); part != nil {
				chunk.Parts = append(chunk.Parts, *part)
			}
		} else {
			var entry *models.ImportEntry
			if entry, err = sheet.Next(ctx, time.Now()); entry != nil {
				chunk.Entries = append(chunk.Entries, *entry)
			}
		}
		if errors.Is(err, io.EOF) {
			chunk.Ended = im.Pass > 0
			break
		}
		require.NoError(m.t, err)
	}
	chunk.Rows, chunk.To = sheet.Rows(), sheet.Position()
	if im.Pass == 0 && chunk.To.ByteOffset == im.Size {
		chunk.To = im.First(1)
	}
	return chunk
}

func (m *importer) store(chunk *models.ImportChunk) error {
	if chunk.From.Pass == 0 {
		return m.Store.Imports.ArrangeImportChunk(m.t.Context(), chunk)
	}
	_, _, err := m.Store.Imports.SaveImportChunk(m.t.Context(), chunk)
	return err
}

// recorded are the amounts of the lines of each order in Levy, ascending.
func (m *importer) recorded() map[string][]string {
	rows, err := m.SQL.Query(context.Background(), `
		SELECT t.external_id, array_agg(i.amount::numeric(12, 2)::text ORDER BY i.amount)
		  FROM transactions t JOIN transaction_items i ON i.organization_id = t.organization_id AND i.transaction_id = t.id
		 WHERE t.organization_id = $1 GROUP BY 1`, m.Scope.OrganizationID)
	require.NoError(m.t, err)
	defer rows.Close()
	lines := map[string][]string{}
	for rows.Next() {
		var order string
		var amounts []string
		require.NoError(m.t, rows.Scan(&order, &amounts))
		lines[order] = amounts
	}
	require.NoError(m.t, rows.Err())
	return lines
}

// listed are the lines of a file that are listed, by decision.
func (m *importer) listed(im models.Import) (present, conflicting, rejected []int64) {
	err := m.Store.Imports.ImportRejections(m.t.Context(), m.Scope, im.ID, 1000, func(r *models.ImportRejection) error {
		to := &rejected
		if r.Present {
			to = &present
		} else if r.Conflict {
			to = &conflicting
		}
		*to = append(*to, r.Lines...)
		return nil
	})
	require.NoError(m.t, err)
	return present, conflicting, rejected
}

// Files lose and double no row. Rows that are accepted, rejected, in conflict or already present are the rows of the
// file, each once, and the lines in Levy are exactly the accepted ones: over orders whose rows are apart, equal rows,
// spaces of every kind, lost zeros, the same and overlapping files, lost results, repeated chunks, pauses and
// cancellations.
func TestFilesLoseAndDoubleNoRow(t *testing.T) {
	t.Parallel()
	rows, err := service.Imports(validate.Options{}, nil)
	require.NoError(t, err)
	for n := range 4 {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			m := &importer{
				Bundle: storetest.Setup(t, 1, 1), t: t, rows: rows, random: rand.New(rand.NewPCG(seed.Seed(), uint64(n))),
			}
			defer func() {
				if t.Failed() {
					t.Log(seed.Again())
				}
			}()
			for range 6 {
				m.history()
			}
		})
	}
}

// history imports a file, perhaps after an attempt that was cancelled, and compares what it did with what it says.
func (m *importer) history() {
	before := m.recorded()
	file := m.draw(before)
	text := fileOf(file)
	for cancelled := m.random.IntN(2) == 0; ; cancelled = false {
		im := m.run(m.upload(text), cancelled)
		after := m.recorded()
		m.compare(file, im, before, after)
		before = after
		if im.Status == models.ImportCompleted {
			break
		}
	}
	again := m.upload(text)
	if again.Status != models.ImportCompleted { // it had rows that were not accepted
		again = m.run(again, false)
		require.Zero(m.t, again.AcceptedRows, "the same file once more")
		m.compare(file, again, before, m.recorded())
	}
	require.Equal(m.t, before, m.recorded())
}

// decisionOf is the decision about the rows of an order, by what was recorded before its file.
func decisionOf(order []fileRow, recorded []string) string {
	var amounts []string
	for _, r := range order {
		amounts = append(amounts, r.amount)
	}
	slices.Sort(amounts)
	switch {
	case amounts[len(amounts)-1] == "x":
		return "rejected"
	case recorded == nil:
		return "accepted"
	case slices.Equal(amounts, recorded):
		return "present"
	}
	return "conflicting"
}

// compare compares an import with its file, and with the lines before and after it.
func (m *importer) compare(file []fileRow, im models.Import, before, after map[string][]string) {
	t, orders, lines := m.t, map[string][]fileRow{}, map[string][]int64{}
	for i, r := range file {
		orders[r.order] = append(orders[r.order], r)
		lines[r.order] = append(lines[r.order], int64(i+2))
	}
	want, restored := map[string][]int64{}, int64(0)
	for order, rows := range orders {
		decision := decisionOf(rows, before[order])
		if decision == "accepted" && after[order] == nil && im.Status == models.ImportCancelled {
			continue // it was not reached
		}
		want[decision] = append(want[decision], lines[order]...)
		if decision != "accepted" {
			require.Equal(t, before[order], after[order])
			continue
		}
		if rows[0].zip == "2108" {
			restored++
		}
		require.Equal(t, "present", decisionOf(rows, after[order]), "the recorded lines of %s are its rows", order)
	}
	for order := range after {
		require.True(t, before[order] != nil || orders[order] != nil, "%s is in no file", order)
	}
	present, conflicting, rejected := m.listed(im)
	if im.Status == models.ImportCancelled {
		require.EqualValues(t, len(want["accepted"]), im.AcceptedRows)
		for decision, listed := range map[string][]int64{
			"present": present, "conflicting": conflicting, "rejected": rejected,
		} {
			require.Subset(t, want[decision], listed)
		}
		return
	}
	require.Equal(t, models.ImportCompleted, im.Status)
	require.EqualValues(t, len(file), im.Rows)
	require.Equal(t, im.Rows, im.AcceptedRows+im.PresentRows+im.ConflictingRows+im.RejectedRows)
	require.EqualValues(t, len(want["accepted"]), im.AcceptedRows)
	require.Equal(t, restored, im.RestoredPostalCodes)
	for decision, got := range map[string]struct {
		rows   int64
		listed []int64
	}{
		"present": {im.PresentRows, present}, "conflicting": {im.ConflictingRows, conflicting},
		"rejected": {im.RejectedRows, rejected},
	} {
		require.EqualValues(t, len(want[decision]), got.rows, decision)
		require.ElementsMatch(t, want[decision], got.listed, decision)
	}
}

// An order whose rows are apart may have any number of parts, and a part may lie on the border of two pieces.
func TestPartsOfManyOrdersAreReadInOrder(t *testing.T) {
	t.Parallel()
	rows, err := service.Imports(validate.Options{}, nil)
	require.NoError(t, err)
	m := &importer{Bundle: storetest.Setup(t, 1, 1), t: t, rows: rows, random: rand.New(rand.NewPCG(seed.Seed(), 1))}
	var text bytes.Buffer
	text.WriteString(ordersHeader)
	const orders, parts = 7, 400
	for part := range parts {
		for order := range orders {
			text.WriteString(fileOf([]fileRow{
				{spelled: fmt.Sprint("O-", order), amount: fmt.Sprint(1 + part%9), zip: "02108"},
			})[len(ordersHeader):])
		}
	}
	im := m.run(m.upload(text.String()), false)
	require.Equal(t, models.ImportCompleted, im.Status)
	require.Equal(t, []int64{orders, orders * parts}, []int64{im.Accepted, im.AcceptedRows})
	require.EqualValues(t, orders*parts, im.SplitParts)
	require.Equal(t, orders*parts, m.Count(t, "SELECT count(*) FROM transaction_items"))
	require.NoError(t, m.Store.Imports.ClearImport(t.Context(), storetest.ImportRef(im)))
	require.Zero(t, m.Count(t, `SELECT (SELECT count(*) FROM transaction_import_orders) +
		(SELECT count(*) FROM transaction_import_parts) + (SELECT count(*) FROM transaction_import_pieces)`))
}
