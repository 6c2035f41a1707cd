package filings

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"levy/contract"
	"levy/models"
	"levy/returns"
	"levy/returns/ser/soap"
	"levy/returns/vat"
	"levy/rules"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/tax"
	"levy/tax/calendar"
)

// made is the file of a filing, with what is to be known of it. Without a file the document has no content.
type made struct {
	file     tax.ReturnFile
	fixed    bool
	document models.FilingDocument
	findings []returns.Finding
}

// GetFilingReturn answers with the file of a filing for its authority, or with its findings.
func (o *Operations) GetFilingReturn(
	ctx context.Context, r contract.GetFilingReturnRequest, stream contract.Stream,
) error {
	facts, err := o.deps.Reports.ReturnFacts(ctx, call.Of(ctx).Scope, r.FilingID)
	if err != nil {
		return err
	}
	m := o.makeReturn(o.deps.SentTo.Of(facts))
	file, content := contract.Content{Type: m.document.MediaType + "; charset=utf-8", Name: m.document.FileName}, m.document.Content
	switch {
	case r.Params.Format == "findings":
		file = contract.Content{Type: "application/json; charset=utf-8", Name: r.FilingID + "-findings.json"}
		if content, err = json.Marshal(newReturn(&facts.Filing, &m)); err != nil {
			return err
		}
	case content == nil:
		return withoutDocument(&facts.Filing, &m)
	case r.Params.Format == "upload":
		if file, content, err = uploadOf(&m); err != nil {
			return err
		}
	}
	return o.outputs.Download(ctx, stream, file, func(_ context.Context, to *bufio.Writer) error {
		_, err := bytes.NewReader(content).WriteTo(to)
		return err
	})
}

// uploadOf returns the file by which people hand a simplified return over at the web site of a state. Errors:
// *models.FilingDocumentError for another layout, and for a preview, whose ids are zeros.
func uploadOf(m *made) (contract.Content, []byte, error) {
	d := &m.document
	if !models.IsSimplifiedLayout(d.Layout) {
		return contract.Content{}, nil, &models.FilingDocumentError{
			Said: "The document is uploaded as it is: only the simplified return of the Streamlined states has a form of its own for web sites.",
		}
	}
	if !m.fixed {
		return contract.Content{}, nil, &models.FilingDocumentError{
			Said: "The file for the web site of the state is there once the return is approved: before that it has no ids.",
		}
	}
	content, err := soap.UploadFile(d.Content)
	return contract.Content{
		Type: d.MediaType + "; charset=utf-8", Name: strings.TrimSuffix(d.FileName, ".xml") + "-upload.xml",
	}, content, err
}

// makeReturn returns the document that is stored for the present attempt. Before the claim it is a preview. After it
// nothing is made anew: a filing without a stored document has none.
func (o *Operations) makeReturn(facts models.ReturnFacts) made {
	f := &facts.Filing
	day := rules.DayOfAuthority(f.CountryCode, f.StateCode, o.now())
	m := made{file: returns.FileOf(o.deps.Law.Current(), facts)}
	if kept := facts.Document; f.ClaimedAt != nil && kept != nil && kept.Attempt == f.Attempt {
		m.file = o.fileNamed(f, kept.Layout)
		m.fixed, m.document, m.findings = true, *kept, kept.Findings
		return m
	}
	preview, findings := returns.Preview(o.deps.Law.Current(), facts, day)
	m.findings = findings
	// guard: returns: what is claimed has no preview
	if f.ClaimedAt == nil && preview.Bytes != nil {
		m.document = models.FilingDocument{
			Layout: preview.Layout, MediaType: preview.MediaType, FileName: preview.FileName, Day: day, Content: preview.Bytes,
		}
	}
	return m
}

// refusalsOf returns the codes of the findings by which the adapter of an open return has no document to send. Where no
// adapter sends it there are none. read returns the facts of the return.
func (o *Operations) refusalsOf(
	ctx context.Context, f *models.Filing, read func() (models.ReturnFacts, error),
) ([]string, error) {
	if f.Status != models.FilingUnfiled ||
		!o.deps.SentTo.Sends(true, f.CountryCode, f.StateCode) && !o.deps.SentTo.Sends(false, f.CountryCode, f.StateCode) {
		return nil, nil
	}
	// The facts of a large return are costly: those that no adapter sends are not read.
	organization, err := o.deps.Organizations.Organization(ctx, call.Of(ctx).Scope)
	if err != nil || !o.deps.SentTo.Sends(organization.IsTest, f.CountryCode, f.StateCode) {
		return nil, err
	}
	facts, err := read()
	if err != nil {
		return nil, err
	}
	return o.deps.SentTo.Refuses(o.deps.Law.Current(), facts, rules.DayOfAuthority(f.CountryCode, f.StateCode, o.now())), nil
}

// refusalsOfID is refusalsOf for a filing that was not read.
func (o *Operations) refusalsOfID(ctx context.Context, id string) ([]string, error) {
	if o.deps.SentTo.None() {
		return nil, nil
	}
	f, err := o.deps.Filings.Filing(ctx, call.Of(ctx).Scope, id)
	if err != nil {
		return nil, err
	}
	return o.refusalsOf(ctx, &f, o.factsOf(ctx, id))
}

// factsOf returns the reader of the facts of a return.
func (o *Operations) factsOf(ctx context.Context, id string) func() (models.ReturnFacts, error) {
	return func() (models.ReturnFacts, error) { return o.deps.Reports.ReturnFacts(ctx, call.Of(ctx).Scope, id) }
}

// fileNamed returns the file of a filing with an id; an empty one if the present content has no such file any more.
func (o *Operations) fileNamed(f *models.Filing, id string) tax.ReturnFile {
	if models.IsSimplifiedLayout(id) {
		return o.deps.Law.Current().SimplifiedFile(f.StateCode, calendar.DateOf(f.EndDate))
	}
	if id == vat.Layout {
		sent := models.ReturnFacts{Filing: *f, British: true}
		return returns.FileOf(o.deps.Law.Current(), sent)
	}
	files := o.deps.Law.Current().ReturnFiles()
	i := slices.IndexFunc(files, func(f tax.ReturnFile) bool { return f.ID == id })
	if i < 0 {
		return tax.ReturnFile{}
	}
	return files[i]
}

// layoutOf returns the layout of the document of a filing, else of its period; "" where Levy gives no file.
func (o *Operations) layoutOf(f *models.Filing) string {
	if f.DocumentLayout != "" {
		return f.DocumentLayout
	}
	facts := o.deps.SentTo.Of(models.ReturnFacts{
		Filing: *f, Test: f.Around.Test, Filer: models.ReturnFiler{Member: f.Around.IdentifiedBy},
	})
	if file := returns.FileOf(o.deps.Law.Current(), facts); file.Given() {
		return file.ID
	}
	return ""
}

// withoutDocument returns why a filing has no document.
func withoutDocument(f *models.Filing, m *made) error {
	e := &models.FilingDocumentError{Findings: returns.Refusals(m.findings)}
	var said []string
	for _, x := range m.findings {
		if x.Severity == models.SeverityError || x.Code == "NOTHING_TO_FILE" {
			said = append(said, x.Message)
		}
	}
	switch {
	case m.file.ID == "":
		e.Said = "The authority takes no file that Levy knows: type the lines of the worksheet in."
	case len(said) > 0:
		e.Said = strings.Join(said, " ")
	case f.Status == models.FilingFiling:
		e.Said = "The document of this attempt is not built yet. A return that was approved before documents were built gets none."
	default:
		e.Said = "No document was stored when this return was approved."
	}
	return e
}

func newReturn(f *models.Filing, m *made) contract.FilingReturn {
	answer := contract.FilingReturn{
		FilingID: f.ID, Layout: convert.Optional(cmp.Or(m.document.Layout, m.file.ID)), Name: convert.Optional(m.file.Name),
		Edition: convert.Optional(m.file.Edition), Source: convert.Optional(m.file.Source),
		Confidence: convert.Optional(string(m.file.Confidence)), Fixed: m.fixed,
		FileName: convert.Optional(m.document.FileName), MediaType: convert.Optional(m.document.MediaType),
		Sha256: convert.Optional(m.document.Hash), Findings: convert.ConvertAll(m.findings, newFinding),
	}
	if m.fixed {
		answer.Attempt = &m.document.Attempt
	}
	if m.document.Content != nil {
		day := m.document.Day.Time()
		answer.Day = convert.OptionalDate(&day)
	}
	return answer
}
