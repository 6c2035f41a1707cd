package api

import (
	"context"
	"time"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
)

// allOnOnePage is more than an organization has of any list that is not paged.
const allOnOnePage = 1_000_000

// ListNexus lists nexus records.
func (s *Server) ListNexus(ctx context.Context, r contract.ListNexusRequest) (contract.NexusList, error) {
	p := r.Params
	filter := models.NexusFilter{
		Today: dateOf(s.now()).Time(), View: string(p.DisregardView), Statuses: texts[models.NexusStatus](p.StatusIn),
		States: s.deps.Spellings(p.StateCode), Countries: p.CountryCodeIn, Collected: p.CollectedTaxNexusMet,
	}
	page := pageOf(p.Page, p.Size)
	if p.WithoutPagination {
		page = models.Page{Limit: allOnOnePage}
	}
	list, err := s.deps.Nexus.ListNexus(ctx, callOf(ctx).scope, filter, orderOf(p.OrderBy), page)
	if err != nil {
		return contract.NexusList{}, err
	}
	answer := contract.NexusList{
		Items: convertAll(list.Items, s.nexusAnswer), Total: list.Total, Page: p.Page, Size: p.Size,
		Pages: pages(list.Total, p.Size),
	}
	if p.WithoutPagination {
		answer.Page, answer.Size, answer.Pages = 1, max(int(list.Total), 1), min(int(list.Total), 1)
	}
	return answer, nil
}

// GetNexus reads a nexus record.
func (s *Server) GetNexus(ctx context.Context, r contract.GetNexusRequest) (contract.NexusRecord, error) {
	record, err := s.deps.Nexus.Nexus(ctx, callOf(ctx).scope, r.NexusID)
	return answered(record, err, s.nexusAnswer)
}

// DisregardNexus leaves kinds of nexus out.
func (s *Server) DisregardNexus(ctx context.Context, r contract.DisregardNexusRequest) (contract.NexusRecord, error) {
	call, now := callOf(ctx), s.now().UTC().Truncate(time.Microsecond)
	record, err := s.deps.Nexus.DisregardNexus(ctx, call.scope, call.actor(), r.NexusID,
		func(n *models.NexusRecord) error {
			if n.Status != models.NexusApproaching && n.Status != models.NexusExposed {
				return problem.New(
					problem.CodeInvalidStatusTransition,
					"Only nexus that is APPROACHING or EXPOSED can be disregarded, and this is "+string(n.Status)+".",
				).With("from", n.Status).With("to", nil).
					With("allowed", []models.NexusStatus{models.NexusApproaching, models.NexusExposed})
			}
			n.Disregard = models.NexusDisregard{
				DisregardedAt: &now, DisregardedBy: optional(call.actor().Name()), DisregardReason: &r.Body.Reason,
				DisregardedUntil: optionalDay(r.Body.Until), Kinds: texts[models.NexusKind](r.Body.NexusTypes),
			}
			return nil
		})
	return answered(record, err, s.nexusAnswer)
}

// UndisregardNexus ends a disregard.
func (s *Server) UndisregardNexus(
	ctx context.Context, r contract.UndisregardNexusRequest,
) (contract.NexusRecord, error) {
	call := callOf(ctx)
	record, err := s.deps.Nexus.DisregardNexus(ctx, call.scope, call.actor(), r.NexusID,
		func(n *models.NexusRecord) error {
			n.Disregard = models.NexusDisregard{Kinds: []models.NexusKind{}}
			return nil
		})
	return answered(record, err, s.nexusAnswer)
}
