package nexus

import (
	"context"
	"time"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// allOnOnePage is more than an organization has of any list without pages.
const allOnOnePage = 1_000_000

// ListNexus lists nexus records.
func (o *Operations) ListNexus(ctx context.Context, r contract.ListNexusRequest) (contract.NexusList, error) {
	p := r.Params
	filter := o.filter(&contract.ExportNexusParams{
		DisregardView: contract.ExportNexusParamsDisregardView(p.DisregardView), StatusIn: p.StatusIn, StateCode: p.StateCode,
		CountryCodeIn: p.CountryCodeIn, CollectedTaxNexusMet: p.CollectedTaxNexusMet,
	})
	page := convert.PageOf(p.Page, p.Size)
	if p.WithoutPagination {
		page = models.Page{Limit: allOnOnePage}
	}
	list, err := o.deps.Nexus.ListNexus(ctx, call.Of(ctx).Scope, filter, convert.OrderOf(p.OrderBy), page)
	if err != nil {
		return contract.NexusList{}, err
	}
	answer := contract.NexusList{
		Items: convert.ConvertAll(list.Items, o.Answer), Total: list.Total, Page: p.Page, Size: p.Size,
		Pages: convert.Pages(list.Total, p.Size),
	}
	if p.WithoutPagination {
		answer.Page, answer.Size, answer.Pages = 1, max(int(list.Total), 1), min(int(list.Total), 1)
	}
	return answer, nil
}

func (o *Operations) filter(p *contract.ExportNexusParams) models.NexusFilter {
	return models.NexusFilter{
		Today: convert.DateOf(o.now()).Time(), View: string(p.DisregardView), Statuses: convert.Texts[models.NexusStatus](p.StatusIn),
		States: o.deps.Spellings(p.StateCode), Countries: p.CountryCodeIn, Collected: p.CollectedTaxNexusMet,
	}
}

// GetNexus reads a nexus record.
func (o *Operations) GetNexus(ctx context.Context, r contract.GetNexusRequest) (contract.NexusRecord, error) {
	record, err := o.deps.Nexus.Nexus(ctx, call.Of(ctx).Scope, r.NexusID)
	return convert.Answered(record, err, o.Answer)
}

// DisregardNexus disregards kinds of nexus.
func (o *Operations) DisregardNexus(ctx context.Context, r contract.DisregardNexusRequest) (contract.NexusRecord, error) {
	c, now := call.Of(ctx), o.now().UTC().Truncate(time.Microsecond)
	record, err := o.deps.Nexus.DisregardNexus(ctx, c.Scope, c.Actor(), r.NexusID,
		func(n *models.NexusRecord) error {
			if n.Status != models.NexusApproaching && n.Status != models.NexusExposed {
				return problem.New(
					problem.CodeInvalidStatusTransition,
					"Only nexus that is APPROACHING or EXPOSED can be disregarded, and this is "+string(n.Status)+".",
				).With("from", n.Status).With("to", nil).
					With("allowed", []models.NexusStatus{models.NexusApproaching, models.NexusExposed})
			}
			n.Disregard = models.NexusDisregard{
				DisregardedAt: &now, DisregardedBy: convert.Optional(c.Actor().Name()), DisregardReason: &r.Body.Reason,
				DisregardedUntil: convert.OptionalDay(r.Body.Until), Kinds: convert.Texts[models.NexusKind](r.Body.NexusTypes),
			}
			return nil
		})
	return convert.Answered(record, err, o.Answer)
}

// UndisregardNexus ends a disregard.
func (o *Operations) UndisregardNexus(
	ctx context.Context, r contract.UndisregardNexusRequest,
) (contract.NexusRecord, error) {
	c := call.Of(ctx)
	record, err := o.deps.Nexus.DisregardNexus(ctx, c.Scope, c.Actor(), r.NexusID,
		func(n *models.NexusRecord) error {
			n.Disregard = models.NexusDisregard{Kinds: []models.NexusKind{}}
			return nil
		})
	return convert.Answered(record, err, o.Answer)
}
