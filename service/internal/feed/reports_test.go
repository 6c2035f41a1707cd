package feed

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/deps"
	"levy/service/internal/output"
)

// reported is a worklist with reports of so many rows. It notes the last query.
type reported struct {
	deps.Work
	total int64
	query models.ReportQuery
}

func (w *reported) Report(
	_ context.Context, _ models.Visibility, q models.ReportQuery, _ models.Page,
) (models.List[models.ReportRow], error) {
	w.query = q
	return models.List[models.ReportRow]{Total: w.total}, nil
}

func (w *reported) ExportReport(
	_ context.Context, _ models.Visibility, q models.ReportQuery, begin func(int64) error, to models.Export[models.ReportRow],
) error {
	if err := begin(w.total); err != nil {
		return err
	}
	row := models.ReportRow{OrganizationID: "org_1", OrganizationName: "=Shop", Values: make([]string, len(q.Name.Columns()))}
	if err := to.Row(&row); err != nil {
		return err
	}
	return to.Pause()
}

// collected is a stream that keeps what is written.
type collected struct {
	contract.Stream
	strings.Builder
	content contract.Content
}

func (s *collected) Begin(content contract.Content)    { s.content = content }
func (s *collected) Write(p []byte) (n int, err error) { return s.Builder.Write(p) }

// reporting are operations at noon of a day, for a caller of an organization.
func reporting(t *testing.T, total int64) (context.Context, *Operations, *reported) {
	t.Helper()
	work := &reported{total: total}
	now := func() time.Time { return time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC) }
	o := New(&deps.Deps{Work: work}, now, output.NewOutputs(output.ContractStreams), nil, models.OnboardingRules{}, nil, nil, nil, nil,
		nil, nil)
	c := &call.Call{StillAdmitted: func(context.Context, models.Scope) bool { return true }}
	c.Scope.OrganizationID = "org_1"
	return call.With(t.Context(), c), o, work
}

// A report adds up much, so an organization reads two at a time, as it may export two files.
func TestReportsAreLimitedLikeExports(t *testing.T) {
	t.Parallel()
	ctx, o, _ := reporting(t, 0)
	request := contract.GetReportRequest{Params: contract.GetReportParams{Report: "NEXUS", Page: 1, Size: 50}}
	_, err := o.GetReport(ctx, request)
	require.NoError(t, err)
	for range 2 {
		release, err := o.outputs.Acquire(ctx)
		require.NoError(t, err)
		defer release()
	}
	_, err = o.GetReport(ctx, request)
	require.Equal(t, problem.CodeRateLimited, problem.Of(err).Code)
}

// A report holds a connection, so reports have a limit of their own, whether they are pages or files.
func TestReportsHaveTheirOwnLimit(t *testing.T) {
	t.Parallel()
	ctx, o, _ := reporting(t, 0)
	for range 2 {
		release, err := o.outputs.AcquireReport(ctx)
		require.NoError(t, err)
		defer release()
	}
	var p contract.GetReportParams
	p.Report, p.Page, p.Size = "NEXUS", 1, 50
	_, err := o.GetReport(ctx, contract.GetReportRequest{Params: p})
	require.Equal(t, problem.CodeRateLimited, problem.Of(err).Code)
	err = o.ExportReport(ctx, contract.ExportReportRequest{
		Params: contract.ExportReportParams{Report: "NEXUS", Format: "csv"}}, &collected{})
	require.Equal(t, problem.CodeRateLimited, problem.Of(err).Code)
}

// A workbook is in memory, so one of too many rows is refused before anything is sent. A CSV file may have more.
func TestAWorkbookOfTooManyRowsIsRefused(t *testing.T) {
	t.Parallel()
	export := func(total int64, format string) (*collected, error) {
		ctx, o, _ := reporting(t, total)
		to := &collected{}
		err := o.ExportReport(ctx, contract.ExportReportRequest{
			Params: contract.ExportReportParams{Report: "LIABILITY", Format: format}}, to)
		return to, err
	}
	to, err := export(10_000, "xlsx")
	require.NoError(t, err)
	require.Equal(t, contract.Content{Type: output.TypeXLSX, Name: "liability.xlsx"}, to.content)
	require.True(t, strings.HasPrefix(to.String(), "PK"))
	to, err = export(10_001, "xlsx")
	var invalid *models.InvalidError
	require.ErrorAs(t, err, &invalid)
	require.Equal(t, "format", invalid.Faults[0].Path)
	require.Empty(t, to.String())
	to, err = export(10_001, "csv")
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(to.String(), "organization_id,organization_name,country_code,"))
	require.Contains(t, to.String(), "\r\norg_1,'=Shop,,")
	_, err = export(1_000_000, "csv")
	require.NoError(t, err)
	to, err = export(1_000_001, "csv")
	require.ErrorAs(t, err, &invalid)
	require.Empty(t, to.String())
}

// Without days a report is about the last twelve months, this one included, until today.
func TestReportsAreAboutTheLastTwelveMonths(t *testing.T) {
	t.Parallel()
	ctx, o, work := reporting(t, 0)
	day := func(text string) (d time.Time) {
		d, err := time.Parse(time.DateOnly, text)
		require.NoError(t, err)
		return d
	}
	for _, c := range [][4]string{
		{"", "", "2025-06-01", "2026-05-20"}, {"", "2026-03-31", "2025-04-01", "2026-03-31"},
		{"2026-01-05", "", "2026-01-05", "2026-05-20"},
	} {
		var p contract.GetReportParams
		p.Report, p.Page, p.Size = "LIABILITY", 1, 50
		if c[0] != "" {
			p.StartDate.Time = day(c[0])
		}
		if c[1] != "" {
			p.EndDate.Time = day(c[1])
		}
		answer, err := o.GetReport(ctx, contract.GetReportRequest{Params: p})
		require.NoError(t, err)
		require.Equal(t, []time.Time{day(c[2]), day(c[3])}, []time.Time{work.query.From, work.query.Until})
		require.Equal(t, c[2], answer.StartDate.String())
	}
	var p contract.GetReportParams
	p.Report, p.Page, p.Size = "LIABILITY", 1, 50
	p.StartDate.Time = day("2026-05-21")
	_, err := o.GetReport(ctx, contract.GetReportRequest{Params: p})
	var invalid *models.InvalidError
	require.ErrorAs(t, err, &invalid, "it begins after today")
	require.Equal(t, "start_date", invalid.Faults[0].Path)
}
