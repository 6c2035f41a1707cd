package activities

import (
	"context"
	"errors"
	"strings"

	"levy/internal/failpoint"
	"levy/models"
	"levy/returns"
	"levy/rules"
	"levy/tax"
)

// DocumentResult names the document of an attempt, if it has one. It has no number of the taxpayer.
type DocumentResult struct {
	Layout string `json:"layout,omitempty"`
	Hash   string `json:"sha256,omitempty"`
	// Refused are the codes of the findings by which there is none.
	Refused []string `json:"refused,omitempty"`
}

// WithDocuments has the activities of filings build documents by the tax content in force. Without it there are none.
// Adapters send the returns of some authorities.
func WithDocuments(f *Filing, content func() *tax.Content, sentTo returns.AdapterAuthorities) *Filing {
	f.content, f.sentTo = content, sentTo
	return f
}

// refusals returns the codes of the findings by which the adapter of a return has no document to send. Where no adapter sends
// it there are none.
func (f *Filing) refusals(ctx context.Context, in FilingInput) ([]string, error) {
	if f.sentTo.None() || f.content == nil {
		return nil, nil
	}
	// The facts of a large return are costly: those that no adapter sends are not read.
	if to, err := f.store.AuthorityOfFiling(ctx, in.scope(), in.FilingID); err != nil || !f.sentTo.Sends(to.Test, to.Country, to.State) {
		return nil, err
	}
	facts, err := f.store.ReturnFacts(ctx, in.scope(), in.FilingID)
	if err != nil {
		return nil, err
	}
	to := &facts.Filing
	if to.Status != models.FilingUnfiled {
		return nil, nil
	}
	return f.sentTo.Refuses(f.content(), facts, rules.DayOfAuthority(to.CountryCode, to.StateCode, in.Now)), nil
}

// checkSendable refuses to approve a return whose adapter has no document to send.
func (f *Filing) checkSendable(ctx context.Context, in TransitionInput) error {
	if in.Transition.To != models.FilingFiling {
		return nil
	}
	refusals, err := f.refusals(ctx, in.FilingInput)
	if err == nil && len(refusals) > 0 {
		err = invalidInput("the return has no document to send: " + strings.Join(refusals, ", "))
	}
	return err
}

// wantsDocument reports whether a document may have to be built for a filing that is handed over next.
func (f *Filing) wantsDocument(s rules.FilingSnapshot) bool {
	return f.content != nil && s.Action == rules.FilingSubmits &&
		(f.sentTo.Takes(true, s.Country, s.State) || f.sentTo.Takes(false, s.Country, s.State) ||
			f.content().HasReturnFile(s.Country, s.State, s.Period.End))
}

// BuildDocument builds the document of an attempt once and stores it. A repetition returns the stored one, whatever has
// changed since.
func (f *Filing) BuildDocument(ctx context.Context, in SubmitInput) (result DocumentResult, err error) {
	if !in.key().Whole() {
		return result, invalidInput("no attempt at a filing given")
	}
	err = f.do(ctx, in.FilingInput, func(ctx context.Context) error {
		facts, err := f.store.ReturnFacts(ctx, in.scope(), in.FilingID)
		if err != nil {
			return err
		}
		kept := facts.Document
		// guard: documents: a repetition builds no other one
		if kept == nil || kept.Attempt != in.Attempt {
			if kept, result.Refused, err = f.build(ctx, in, facts); err != nil || kept == nil {
				return err
			}
		}
		result.Layout, result.Hash = kept.Layout, kept.Hash
		return nil
	})
	return result, err
}

// build builds a document and stores it. Without one it returns the codes of the findings that say why.
func (f *Filing) build(
	ctx context.Context, in SubmitInput, facts models.ReturnFacts,
) (kept *models.FilingDocument, refused []string, err error) {
	if !facts.Filing.UnderWay(in.Attempt) {
		return nil, nil, models.ErrChangedMeanwhile
	}
	day := rules.DayOfAuthority(facts.Filing.CountryCode, facts.Filing.StateCode, in.Now)
	for n := 0; ; n++ {
		document, findings := returns.OfAttempt(f.content(), f.sentTo.Of(facts), in.key(), day, n)
		if document == nil {
			return nil, returns.Refusals(findings), nil
		}
		if err := failpoint.Hit("before_document"); err != nil {
			return nil, nil, err
		}
		stored, err := f.store.KeepDocument(ctx, in.scope(), in.attempt(), *document)
		if !errors.Is(err, models.ErrIDsTaken) {
			return &stored, nil, err
		}
	}
}
