package main

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/govalues/decimal"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/store"
	"levy/store/storetest"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/content"
)

// operator works on the content of a database of its own.
type operator struct {
	t        *testing.T
	database string
	folder   string
	env      []string
	store    *store.Store
}

func newOperator(t *testing.T) *operator {
	t.Helper()
	o := &operator{t: t, database: storetest.URL(t), folder: t.TempDir()}
	o.store = storetest.Open(t, store.Options{URL: o.database})
	return o
}

func (o *operator) levy(args ...string) (string, error) {
	var out, log bytes.Buffer
	env := append([]string{"LEVY_DATABASE_URL=" + o.database}, o.env...)
	err := run(o.t.Context(), append([]string{"content"}, args...), env, &out, &log)
	return out.String(), err
}

func (o *operator) must(args ...string) string {
	o.t.Helper()
	out, err := o.levy(args...)
	require.NoError(o.t, err)
	return out
}

// recorded returns the version that an import recorded.
func (o *operator) recorded(out string) string {
	o.t.Helper()
	_, rest, ok := strings.Cut(out, "Recorded ")
	require.True(o.t, ok, out)
	version, _, _ := strings.Cut(rest, ",")
	return version
}

func (o *operator) file(name, text string) string {
	o.t.Helper()
	path := filepath.Join(o.folder, name)
	require.NoError(o.t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func (o *operator) zipped(name, inside, text string) string {
	o.t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create(inside)
	require.NoError(o.t, err)
	_, err = io.WriteString(f, text)
	require.NoError(o.t, err)
	require.NoError(o.t, w.Close())
	return o.file(name, b.String())
}

func (o *operator) count(query string) (n int) {
	o.t.Helper()
	conn, err := pgx.Connect(o.t.Context(), o.database)
	require.NoError(o.t, err)
	defer func() { _ = conn.Close(o.t.Context()) }()
	require.NoError(o.t, conn.QueryRow(o.t.Context(), query).Scan(&n))
	return n
}

// located is the place of an address by the content in force.
func (o *operator) located(a tax.Address) tax.Place {
	o.t.Helper()
	cache, err := o.store.Content.OpenCache(o.t.Context())
	require.NoError(o.t, err)
	a.Country = "US"
	asked := tax.DatedAddress{Address: a, Day: 20260801}
	places, err := cache.Locate(o.t.Context(), []tax.DatedAddress{asked})
	require.NoError(o.t, err)
	return places[asked]
}

// rate is the combined rate of a product of that class there.
func (o *operator) rate(a tax.Address, class tax.TaxClass, day calendar.Date) string {
	o.t.Helper()
	place := o.located(a)
	cache, err := o.store.Content.OpenCache(o.t.Context())
	require.NoError(o.t, err)
	calculate, err := cache.Calculator(o.t.Context(), place.ContentVersion)
	require.NoError(o.t, err)
	result, err := calculate(tax.Request{TaxDate: day, Currency: "USD", Destination: place, Lines: []tax.Line{{
		Class: class, Amount: decimal.MustParse("10000.00"), Quantity: decimal.One,
	}}})
	require.NoError(o.t, err)
	return result.Tax.String()
}

// columns is a record of a boundary file with some columns filled, from 1.
func columns(values map[int]string) string {
	f := make([]string, 89)
	for column, value := range values {
		f[column-1] = value
	}
	return strings.Join(f, ",") + "\r\n"
}

// minneapolis is a ZIP of which a part lies outside the city, except for one street.
func minneapolis() string {
	districts := map[int]string{2: "20240101", 3: "29991231", 23: "27", 25: "053",
		30: "ST", 31: "80004", 32: "63", 33: "ST", 34: "80008", 35: "63", 36: "ST", 37: "80009", 38: "63"}
	with := func(more map[int]string) string {
		for column, value := range districts {
			if _, ok := more[column]; !ok {
				more[column] = value
			}
		}
		return columns(more)
	}
	return with(map[int]string{1: "Z", 18: "55401", 20: "55401", 26: "43000"}) +
		with(map[int]string{1: "4", 18: "55401", 19: "2000", 20: "55401", 21: "2999"}) +
		with(map[int]string{
			1: "A", 4: "1", 5: "99", 6: "O", 8: "WASHINGTON", 9: "AVE", 10: "N", 16: "55401", 26: "43000",
			39: "ST", 40: "99999", 41: "63",
		})
}

func TestBoundaryFilesDistinguishStreets(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	zipped := o.zipped("MNB2026Q3AUG01.zip", "MNB2026Q3AUG01.csv", minneapolis())
	version := o.recorded(o.must("import-boundaries", zipped))
	mill := tax.Address{Street1: "10 2nd St", City: "Minneapolis", State: "MN", PostalCode: "55401-2500"}
	require.Equal(t, tax.ResolutionZIP5, o.located(mill).Resolution, "nothing counts before it is activated")
	require.Equal(t, version, o.recorded(o.must("import-boundaries", zipped)), "importing again changes nothing")
	require.Equal(t, 1, o.count("SELECT count(*) FROM boundary_streets"))

	o.must("activate", version)
	outside := o.located(mill)
	require.Equal(t, tax.ResolutionZIP9, outside.Resolution)
	require.Equal(t, tax.StatusVerified, outside.Status)
	require.NotContains(t, outside.Jurisdictions, "US-MN-M-minneapolis")
	require.Equal(t, tax.CompletenessComplete, outside.Completeness)
	require.Equal(t, version, outside.ContentVersion)
	mill.PostalCode = "55401"
	require.Contains(t, o.located(mill).Jurisdictions, "US-MN-M-minneapolis")

	exact := o.located(tax.Address{
		Street1: "17 Washington Avenue North, Apt 4", City: "Minneapolis", State: "MN", PostalCode: "55401-2500",
	})
	require.Equal(t, tax.ResolutionAddress, exact.Resolution)
	require.Equal(
		t, tax.CompletenessPartial, exact.Completeness,
		"a district without a rate is reported",
	)
	require.Equal(t, tax.ConfidenceLow, exact.Confidence)
	other := o.located(tax.Address{City: "Houston", State: "TX", PostalCode: "77002"})
	require.Equal(t, tax.ResolutionZIP5, other.Resolution, "states without a file stay as they are")

	require.Contains(t, o.must("list"), "*  "+version)
	o.must("rollback")
	mill.PostalCode = "55401-2500"
	require.Equal(t, tax.ResolutionZIP5, o.located(mill).Resolution)
	_, err := o.levy("rollback")
	require.ErrorContains(t, err, "no other content was in force before")
	out, err := o.levy("activate", "--json", "no-such")
	require.ErrorContains(t, err, "levy content list")
	require.Empty(t, out, "what failed has no document")
}

func TestARefusedFileChangesNothing(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	bad := o.file("MNB2026Q3.csv", minneapolis()+"A,soon\n")
	for _, args := range [][]string{
		{"import-boundaries", bad}, {
			"import-boundaries", o.file("boundaries.csv", minneapolis()),
		}, {"import-boundaries", o.file("XXB2026Q3.csv", minneapolis())},
		{
			"import-boundaries", o.file("MNR2026Q3.csv", minneapolis()),
		}, {"import-boundaries", o.zipped("MNB2026Q3.zip", "read.me", "")},
	} {
		_, err := o.levy(args...)
		require.Error(t, err, args)
	}
	_, err := o.levy("import-boundaries", bad)
	var refused *content.RefusedError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, "MNB2026Q3.csv:4", refused.First[0].RowRef.String())
	require.Zero(t, o.count("SELECT count(*) FROM boundary_loads"))
	require.Equal(t, 1, o.count("SELECT count(*) FROM content_versions"))
}

func TestAnImportThatWasKilledContinuesWhereItStopped(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	var text strings.Builder
	const records = 2*chunkRecords + 7
	for i := range records {
		text.WriteString(columns(map[int]string{1: "4", 2: "20240101", 3: "29991231", 18: "55401",
			19: fmt.Sprint(i % 10000), 20: "55401",
			21: fmt.Sprint(i % 10000), 23: "27", 25: "053", 31: fmt.Sprint(80000 + i%10), 32: "63"}))
	}
	base, err := tax.LoadContent()
	require.NoError(t, err)
	killed := errors.New("killed")
	load, err := o.store.Content.OpenBoundaryLoad(t.Context(), "MN", "MNB2026Q3.csv", make([]byte, 32))
	require.NoError(t, err)
	half := io.MultiReader(strings.NewReader(text.String()[:text.Len()*3/4]), iotest.ErrReader(killed))
	d := &draft{store: o.store, base: base}
	err = d.loadBoundaries(t.Context(), "MN", &load, content.NewBoundaryReader("MNB2026Q3.csv", half, "27"))
	require.ErrorIs(t, err, killed)
	require.Equal(t, chunkRecords, o.count("SELECT count(*) FROM boundary_zips"))

	load, err = o.store.Content.OpenBoundaryLoad(t.Context(), "MN", "MNB2026Q3.csv", make([]byte, 32))
	require.NoError(t, err)
	require.EqualValues(t, chunkRecords, load.Records)
	require.NoError(
		t,
		d.loadBoundaries(
			t.Context(), "MN", &load,
			content.NewBoundaryReader("MNB2026Q3.csv", strings.NewReader(text.String()), "27"),
		),
	)
	require.True(t, load.Complete)
	require.Equal(t, records, o.count("SELECT count(*) FROM boundary_zips"))
	require.Equal(t, 10, o.count("SELECT count(*) FROM boundary_sets"))
}

// cancelling cancels a context once so many bytes were read.
type cancelling struct {
	io.Reader
	left   int
	cancel context.CancelFunc
}

func (c *cancelling) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	if c.left -= n; c.left <= 0 {
		c.cancel()
	}
	return n, err
}

// A process that is stopped in the middle leaves whole chunks; the command of
// the next process adds exactly what is missing.
func TestTheNextProcessAddsExactlyTheMissingRecords(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	const records = 2*chunkRecords + 7
	for i := range records {
		text.WriteString(columns(map[int]string{1: "4", 2: "20240101", 3: "29991231", 18: "55401",
			19: fmt.Sprint(i % 10000), 20: "55401",
			21: fmt.Sprint(i % 10000), 23: "27", 25: "053", 31: fmt.Sprint(80000 + i%10), 32: "63"}))
	}
	base, err := tax.LoadContent()
	require.NoError(t, err)
	stopped, whole := newOperator(t), newOperator(t)
	sum := sha256.Sum256([]byte(text.String()))
	load, err := stopped.store.Content.OpenBoundaryLoad(t.Context(), "MN", "MNB2026Q3.csv", sum[:])
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	in := &cancelling{Reader: strings.NewReader(text.String()), left: text.Len() * 3 / 4, cancel: cancel}
	d := &draft{store: stopped.store, base: base}
	err = d.loadBoundaries(ctx, "MN", &load, content.NewBoundaryReader("MNB2026Q3.csv", in, "27"))
	require.Error(t, err)
	require.Error(t, ctx.Err())
	require.Equal(t, chunkRecords, stopped.count("SELECT count(*) FROM boundary_zips"))
	require.Zero(t, stopped.count("SELECT count(*) FROM boundary_loads WHERE complete"))

	out := stopped.must("import-boundaries", stopped.file("MNB2026Q3.csv", text.String()))
	require.Contains(t, out, fmt.Sprintf("going on after %d of %d records", chunkRecords, records))
	require.NotContains(t, whole.must("import-boundaries", whole.file("MNB2026Q3.csv", text.String())), "going on")
	const rows = `SELECT hashtext(string_agg(z.low || ' ' || z.high || ' ' || z.block || ' ' || s.codes,
		  '|' ORDER BY z.low, s.codes))
		FROM boundary_zips z JOIN boundary_sets s USING (load_id, set_no)`
	require.Equal(t, whole.count(rows), stopped.count(rows))
	require.Equal(t, records, stopped.count("SELECT count(*) FROM boundary_zips"))
}
