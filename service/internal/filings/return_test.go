package filings

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/returns"
	"levy/service/internal/deps"
	"levy/tax"
	"levy/tax/calendar"
)

// theLaw is the embedded content.
type theLaw struct {
	deps.Law
	content *tax.Content
}

func (l theLaw) Current() *tax.Content { return l.content }

// inWashington is a return of August 2026 without sales that are taxed, for which a file can be made.
func inWashington(t *testing.T) (*Operations, models.ReturnFacts) {
	t.Helper()
	content, err := tax.LoadContent()
	require.NoError(t, err)
	frequency := "MONTHLY"
	sold := models.FilingFigure{
		FigureKey: models.FigureKey{
			Level: "STATE", Name: "Washington", Sign: models.FigureSale, Channel: models.ChannelOwn, Category: models.CategoryResale,
		},
		Place: "Seattle", Transactions: 1,
	}
	require.NoError(t, sold.Gross.UnmarshalText([]byte("10.00")))
	o := New(&deps.Deps{Law: theLaw{content: content}}, func() time.Time { return time.Date(2026, 9, 2, 3, 0, 0, 0, time.UTC) }, nil)
	return o, models.ReturnFacts{
		Filing: models.Filing{
			ID: "file_1", CountryCode: "US", StateCode: "WA", Status: models.FilingUnfiled, FilingCategory: calendar.FilingRegular,
			FilingFrequency: &frequency, StartDate: time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC),
			EndDate: time.Date(2026, 8, 31, 0, 0, 0, 0, time.UTC),
		},
		Figures: models.FilingFigures{Figures: []models.FilingFigure{sold}},
		Filer:   models.ReturnFiler{Account: "600000042", Contact: "Ann", Email: "ann@chairs.example", Phone: "360-555-0142"},
	}
}

// A preview has no ids, so nobody gets a file of it for the web site of a state.
func TestAPreviewIsNotUploaded(t *testing.T) {
	t.Parallel()
	for _, fixed := range []bool{false, true} {
		_, _, err := uploadOf(&made{fixed: fixed, document: models.FilingDocument{
			Layout: tax.SimplifiedLayout + "SST2015V01", Content: []byte("<SSTSimplifiedReturnTransmission/>"),
		}})
		var refused *models.FilingDocumentError
		require.Equal(t, !fixed, errors.As(err, &refused))
	}
}

// Before the claim a return has a preview, of the day that it is at the authority. After it there is what was stored, or
// nothing.
func TestWhatIsClaimedHasNoPreview(t *testing.T) {
	t.Parallel()
	o, facts := inWashington(t)
	preview := o.makeReturn(facts)
	require.Contains(t, string(preview.document.Content), "TAX, 3, 0, 10.00\n")
	require.Equal(t, calendar.Date(20260901), preview.document.Day, "it is the evening of the day before in Washington")
	require.False(t, preview.fixed)
	require.Empty(t, newReturn(&facts.Filing, &preview).Sha256)
	require.Equal(t, "US-WA-E-FILE/1.0", o.layoutOf(&facts.Filing))

	claimed := time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)
	facts.Filing.ClaimedAt, facts.Filing.Attempt, facts.Filing.Status = &claimed, 2, models.FilingFiling
	facts.Document = &models.FilingDocument{Attempt: 1, Content: []byte("of the attempt before")}
	none := o.makeReturn(facts)
	require.Nil(t, none.document.Content)
	var refused *models.FilingDocumentError
	require.ErrorAs(t, withoutDocument(&facts.Filing, &none), &refused)
	require.Contains(t, refused.Said, "not built yet")

	facts.Document = &models.FilingDocument{Attempt: 2, Content: []byte("bytes"), Hash: "ab", Day: 20260901}
	kept := o.makeReturn(facts)
	require.True(t, kept.fixed)
	require.Equal(t, "bytes", string(kept.document.Content))
	require.Equal(t, 2, *newReturn(&facts.Filing, &kept).Attempt)
	require.Nil(t, newReturn(&facts.Filing, &kept).Edition, "the present content does not know its layout")
	facts.Document.Layout = "US-NY-ST-100-FILE/1"
	other := o.makeReturn(facts)
	require.Equal(t, facts.Document.Layout, other.file.ID)
	require.NotNil(t, newReturn(&facts.Filing, &other).Edition)
}

// A return without a document says why, and by which findings.
func TestWhyAReturnHasNoDocument(t *testing.T) {
	t.Parallel()
	o, facts := inWashington(t)
	said := func() *models.FilingDocumentError {
		m := o.makeReturn(facts)
		var refused *models.FilingDocumentError
		require.ErrorAs(t, withoutDocument(&facts.Filing, &m), &refused)
		return refused
	}
	facts.Filer.Account = ""
	require.Equal(t, []string{"ID_MISSING"}, said().Findings)
	require.Contains(t, said().Said, "enter the account id")
	facts.Filing.StateCode = "PA"
	require.Equal(t, []string{"LAYOUT_LOW"}, said().Findings)
	require.Empty(t, o.layoutOf(&facts.Filing), "nobody gets it")
	facts.Filing.StateCode = "WY"
	require.Empty(t, said().Findings)
	require.Contains(t, said().Said, "takes no file that Levy knows")
}

// Where an adapter sends the return of a test organization, its document is the simplified return.
func TestTheDocumentThatAnAdapterSendsIsShown(t *testing.T) {
	t.Parallel()
	o, facts := inWashington(t)
	o.deps.SentTo = returns.AdapterAuthorities{Tests: []string{"WA"}}
	facts.Test = true
	made := o.makeReturn(o.deps.SentTo.Of(facts))
	require.Equal(t, []string{"ID_MISSING", "ID_MISSING"}, returns.Refusals(made.findings))
	facts.Filer.EIN = "98-7654321"
	made = o.makeReturn(o.deps.SentTo.Of(facts))
	require.Equal(t, []string{"ID_MISSING"}, returns.Refusals(made.findings), "a number of the state is none to sign in by")
	require.Nil(t, made.document.Content)
	facts.Filer.SharedNumber, facts.Filer.EIN = "S00004711", "98-7654321"
	made = o.makeReturn(o.deps.SentTo.Of(facts))
	require.Contains(t, string(made.document.Content), "<TransmissionId>00000000000000000000<", made.findings)
	answer := newReturn(&facts.Filing, &made)
	require.Equal(t, "US-SER/SST2015V01", *answer.Layout)
	require.NotNil(t, answer.Source)
	facts.Test = false
	require.Equal(t, "US-WA-E-FILE/1.0", o.makeReturn(o.deps.SentTo.Of(facts)).document.Layout)
}

// An open return of the one-stop shop has the layout of the member that identifies the seller. One that an adapter sends has that of
// the simplified return.
func TestTheLayoutOfAnOpenReturn(t *testing.T) {
	t.Parallel()
	o, facts := inWashington(t)
	o.deps.SentTo = returns.AdapterAuthorities{Tests: []string{"WA"}}
	require.Equal(t, "US-WA-E-FILE/1.0", o.layoutOf(&facts.Filing))
	facts.Filing.Around.Test = true
	require.Equal(t, "US-SER/SST2015V01", o.layoutOf(&facts.Filing))
	often := string(calendar.FilingQuarterly)
	f := models.Filing{
		CountryCode: models.EuropeanUnion, StateCode: models.EuropeanUnion, FilingFrequency: &often,
		StartDate: calendar.Date(20260701).Time(), EndDate: calendar.Date(20260930).Time(), FilingCategory: calendar.FilingRegular,
	}
	for member, want := range map[string]string{"BE": "BE-OSS/1", "DE": "DE-OSS/2.0", "IE": "", "": ""} {
		f.Around.IdentifiedBy = member
		require.Equal(t, want, o.layoutOf(&f), member)
	}
}

// counted counts how often the facts of a return are read.
type counted struct {
	deps.Organizations
	deps.Reports
	facts models.ReturnFacts
	reads int
}

func (c *counted) Organization(context.Context, models.Scope) (models.Organization, error) {
	return models.Organization{IsTest: c.facts.Test}, nil
}

func (c *counted) ReturnFacts(context.Context, models.Scope, string) (models.ReturnFacts, error) {
	c.reads++
	return c.facts, nil
}

// The facts of a return are read for test organizations alone.
func TestNoFactsOfLiveOrganizationsAreRead(t *testing.T) {
	t.Parallel()
	o, facts := inWashington(t)
	for _, test := range []bool{true, false} {
		facts.Test = test
		c := &counted{facts: facts}
		o.deps.Organizations, o.deps.Reports, o.deps.SentTo = c, c, returns.AdapterAuthorities{Tests: []string{"WA"}}
		refusals, err := o.refusalsOf(t.Context(), &facts.Filing, o.factsOf(t.Context(), facts.Filing.ID))
		require.NoError(t, err)
		require.Equal(t, test, len(refusals) > 0)
		require.Equal(t, test, c.reads > 0)
	}
}
