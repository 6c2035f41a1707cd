package activities

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/returns"
	"levy/rules"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// shelf is a store of documents of one filing in Nebraska. Its ids are taken some times.
type shelf struct {
	filingFake
	facts  models.ReturnFacts
	taken  int
	states returns.AdapterAuthorities
	kept   []models.FilingDocument
	reads  int // of the facts
}

func (s *shelf) AuthorityOfFiling(context.Context, models.Scope, string) (models.ReturnOwner, error) {
	f := &s.facts.Filing
	return models.ReturnOwner{Country: f.CountryCode, State: f.StateCode, Test: s.facts.Test}, nil
}

func (s *shelf) ReturnFacts(context.Context, models.Scope, string) (models.ReturnFacts, error) {
	s.reads++
	return s.facts, nil
}

func (s *shelf) KeepDocument(
	_ context.Context, _ models.Scope, _ models.Attempt, d models.FilingDocument,
) (models.FilingDocument, error) {
	if s.taken--; s.taken >= 0 {
		return d, models.ErrIDsTaken
	}
	sum := sha256.Sum256(d.Content)
	d.Hash = hex.EncodeToString(sum[:])
	s.kept = append(s.kept, d)
	s.facts.Document = &d
	return d, nil
}

func (s *shelf) RefreshFiling(
	context.Context, models.Scope, string, time.Time, rules.FilingPolicy,
) (rules.FilingSnapshot, error) {
	f := s.facts.Filing
	return rules.FilingSnapshot{
		FilingFacts: models.FilingFacts{
			Status: f.Status, Country: f.CountryCode, State: f.StateCode, Period: calendar.Period{End: calendar.DateOf(f.EndDate)},
		},
		FilingStep: rules.FilingStep{Action: rules.FilingSubmits},
	}, nil
}

// inWashington is a claimed return of August 2026, at its second attempt.
func inWashington(t *testing.T) *shelf {
	t.Helper()
	amount := func(text string) money.Total {
		sum, err := money.ParseTotal(text)
		require.NoError(t, err)
		return sum
	}
	figure := func(level, name, rate, gross, owed string) models.FilingFigure {
		return models.FilingFigure{
			FigureKey: models.FigureKey{
				Level: level, Name: name, Rate: rate, Sign: models.FigureSale, Channel: models.ChannelOwn, Class: "PHYSICAL",
			},
			Place: "King County, Seattle", Transactions: 1, Gross: amount(gross), Taxable: amount("100.00"), Tax: amount(owed),
			Owed: amount(owed),
		}
	}
	frequency := "MONTHLY"
	return &shelf{filingFake: filingFake{&recorder{}}, facts: models.ReturnFacts{
		Filing: models.Filing{
			OrganizationID: "org_1", ID: "fili_1", CountryCode: "US", StateCode: "WA", Status: models.FilingFiling, Attempt: 2,
			FilingCategory: calendar.FilingRegular, FilingFrequency: &frequency, Currency: "USD",
			StartDate:  time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC),
			EndDate:    time.Date(2026, 8, 31, 0, 0, 0, 0, time.UTC),
			FilingSums: models.FilingSums{TotalTaxLiability: amount("10.55")},
		},
		Figures: models.FilingFigures{Frozen: true, Registered: true, Figures: []models.FilingFigure{
			figure("STATE", "Washington", "0.065", "100.00", "6.50"), figure("CITY", "Seattle", "0.0405", "0.00", "4.05"),
		}},
		Filer: models.ReturnFiler{Account: "600000042", Contact: "Ann Lee", Email: "ann@chairs.example", Phone: "360-555-0142"},
	}}
}

func (s *shelf) work(t *testing.T) *Filing {
	t.Helper()
	content, err := tax.LoadContent()
	require.NoError(t, err)
	return WithDocuments(NewFiling(s, s, authorityFake{recorder: &recorder{}}, ourPolicy, quiet),
		func() *tax.Content { return content }, s.states)
}

// The document of an attempt is built once, and later changes of the filing change nothing of it.
func TestTheDocumentOfAnAttemptIsBuiltOnce(t *testing.T) {
	t.Parallel()
	s := inWashington(t)
	s.taken = 2
	work := s.work(t)
	first := execute[DocumentResult](t, work, "BuildDocument", ourSubmission)
	require.Equal(t, "US-WA-E-FILE/1.0", first.Layout)
	require.Len(t, s.kept, 1)
	require.Contains(t, string(s.kept[0].Content), "TAX, 45, 1726, 100.00\n")
	s.facts.Filer.Contact = "Ben"
	later := ourSubmission
	later.Now = later.Now.AddDate(0, 0, 3)
	require.Equal(t, first, execute[DocumentResult](t, work, "BuildDocument", later))
	require.Len(t, s.kept, 1)

	s.facts.Filing.Attempt, later.Attempt = 3, 3
	third := execute[DocumentResult](t, work, "BuildDocument", later)
	require.NotEqual(t, first.Hash, third.Hash)
	require.Len(t, s.kept, 2)
	require.NotEqual(t, s.kept[0].TransmissionID, s.kept[1].TransmissionID)
	require.NotEqual(t, s.kept[0].DocumentID, s.kept[1].DocumentID)
	require.Equal(t, s.kept[0].Day.AddDays(3), s.kept[1].Day)
	require.Contains(t, codesOf(s.kept[1].Findings), "DAY_CHANGED")
	require.NotContains(t, codesOf(s.kept[0].Findings), "DAY_CHANGED")
}

// A return with an error has no document, and the run learns the codes alone.
func TestAReturnWithAnErrorHasNoDocument(t *testing.T) {
	t.Parallel()
	s := inWashington(t)
	s.facts.Filer.Account = "42"
	require.Equal(t, DocumentResult{Refused: []string{"ID_FORMAT"}},
		execute[DocumentResult](t, s.work(t), "BuildDocument", ourSubmission))
	require.Empty(t, s.kept)
}

// The document of an attempt that is over is not built.
func TestTheDocumentOfAnAttemptThatIsOverIsNotBuilt(t *testing.T) {
	t.Parallel()
	s := inWashington(t)
	s.facts.Filing.Attempt = 3
	left := attempt{}.failing(t, s.work(t), "BuildDocument", ourSubmission)
	require.Equal(t, ErrTypeChangedMeanwhile, left.Type())
	require.Empty(t, s.kept)
}

// Only a run whose authority takes a file is told to build one.
func TestRunsThatBuildADocument(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]bool{"WA": true, "NE": true, "TX": false, "PA": false} {
		s := inWashington(t)
		s.facts.Filing.StateCode = state
		require.Equal(t, want, execute[rules.FilingSnapshot](t, s.work(t), "RefreshFiling", ourFiling).Document, state)
		without := NewFiling(s, s, authorityFake{recorder: &recorder{}}, ourPolicy, quiet)
		require.False(t, execute[rules.FilingSnapshot](t, without, "RefreshFiling", ourFiling).Document)
	}
}

func codesOf(findings []models.ReturnFinding) (codes []string) {
	for _, f := range findings {
		codes = append(codes, f.Code)
	}
	return codes
}

// inMichigan is the return of a test organization that is not approved yet, which the sandbox of the state takes.
func inMichigan(t *testing.T) *shelf {
	t.Helper()
	s := inWashington(t)
	s.states = returns.AdapterAuthorities{Tests: []string{"MI"}}
	s.facts.Test = true
	f := &s.facts.Filing
	f.StateCode, f.Status, f.Attempt = "MI", models.FilingUnfiled, 0
	s.facts.Figures.Figures = s.facts.Figures.Figures[:1]
	f.TotalTaxLiability = s.facts.Figures.Figures[0].Owed
	s.facts.Figures.Figures[0].Name, s.facts.Figures.Figures[0].Origin = "Michigan", models.OriginOutOfState
	s.facts.Figures.Figures[0].Gross = s.facts.Figures.Figures[0].Taxable
	s.facts.Filer.SharedNumber, s.facts.Filer.EIN = "S00004711", "98-7654321"
	return s
}

// The document of a state with an adapter is the simplified return, with the seller as its transmitter.
func TestTheSimplifiedReturnIsBuilt(t *testing.T) {
	t.Parallel()
	s := inMichigan(t)
	s.facts.Filing.Status, s.facts.Filing.Attempt = models.FilingFiling, 2
	work := s.work(t)
	require.True(t, execute[rules.FilingSnapshot](t, work, "RefreshFiling", ourFiling).Document)
	require.Equal(t, "US-SER/SST2015V01", execute[DocumentResult](t, work, "BuildDocument", ourSubmission).Layout)
	require.Equal(t, "S00004711", s.kept[0].Transmitter)
	require.Contains(t, string(s.kept[0].Content), "<TransmissionId>"+s.kept[0].TransmissionID+"</TransmissionId>")

	s.facts.Document, s.kept, s.facts.Filer.SharedNumber, s.facts.Filer.Account = nil, nil, "", "26-123"
	require.Equal(t, []string{"ID_MISSING"}, execute[DocumentResult](t, work, "BuildDocument", ourSubmission).Refused)
	require.Empty(t, s.kept, "its ids would begin with the federal number")

	s.facts.Document, s.kept, s.facts.Test = nil, nil, false
	require.Empty(t, execute[DocumentResult](t, work, "BuildDocument", ourSubmission), "no adapter sends those of live organizations")
	require.Empty(t, s.kept)
}

// A return that its adapter cannot send is not approved, by the timer or by staff. With manual nothing blocks.
func TestAReturnThatCannotBeSentIsNotApproved(t *testing.T) {
	t.Parallel()
	approve := func(s *shelf) ApprovalResult {
		return execute[ApprovalResult](t, s.work(t), "ApproveFiling", ourFiling)
	}
	s := inMichigan(t)
	require.True(t, approve(s).Approved)
	s.facts.Filer.EIN = ""
	require.Equal(t, ApprovalResult{Refused: []string{"ID_MISSING"}}, approve(s))
	left := attempt{}.failing(t, s.work(t), "MoveFiling", TransitionInput{
		FilingInput: ourFiling, Transition: models.FilingTransition{To: models.FilingFiling}, Proof: theProof,
	})
	require.Equal(t, ErrTypeInvalidInput, left.Type())
	s.facts.Test, s.reads = false, 0
	require.True(t, approve(s).Approved)
	require.Zero(t, s.reads, "nothing is read of live organizations")
}
