package transactions

import (
	"context"

	"levy/models"
	"levy/store/pg"
)

// keptOfEnded finds what transactions contribute that an obligation queued again and
// that go no further now.
const keptOfEnded = keptContributions + `
	   WHERE m.processing_status <> 'ADDRESS_DONE')`

var saveAddresses = `
	WITH input AS (
	  SELECT organization_id, id, epoch, to_status, reason, place::jsonb, origin::jsonb, detail::jsonb
	    FROM unnest($1::text[], $2::text[], $3::int[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[])
	      AS i(organization_id, id, epoch, to_status, reason, place, origin, detail)),` + stageHeadNumbered + `,
	updated AS (
	  UPDATE transactions t SET processing_status = i.to_status, processing_reason = i.reason, place = i.place,
	         origin = i.origin,
	         address_status = coalesce(nullif(i.place->>'status', ''), t.address_status),
	         ambiguous = (i.place->>'ambiguous')::boolean,
	         city = coalesce(nullif(i.place->>'city', ''), t.city),
	         county = coalesce(nullif(i.place->>'county', ''), t.county),
	         state = coalesce(nullif(i.place->>'state', ''), t.state),
	         country = coalesce(nullif(i.place->>'country', ''), t.country),
	         postal_code = coalesce(nullif(i.place->>'postal_code', ''), t.postal_code), updated_at = now()
	    FROM locked l JOIN input i USING (organization_id, id)
	   WHERE t.organization_id = l.organization_id AND t.id = l.id
	  RETURNING t.organization_id, t.id, t.epoch, t.revision, t.processing_status),
	checked AS (
	  UPDATE transaction_addresses a SET status = s.status
	    FROM unnest($13::text[], $14::text[], $15::text[], $16::text[]) AS s(organization_id, transaction_id, type,
	      status)
	    JOIN updated m ON m.organization_id = s.organization_id AND m.id = s.transaction_id
	   WHERE a.organization_id = s.organization_id AND a.transaction_id = s.transaction_id AND a.type = s.type),` +
	keptOfEnded + `,` + removeKept + `,` + stageTailNumbered + holdFor + `'ADDRESS'` + holdRest + checkByKeptPlans

// SaveAddresses brings transactions to ADDRESS_DONE, or to the end state of the
// outcome, with the place that was found.
func (s *Store) SaveAddresses(
	ctx context.Context, run models.StageRun, refs []models.Ref, outcomes []models.AddressOutcome,
) ([]models.StageState, error) {
	changed := make([]models.Ref, len(outcomes))
	var to, reason, place, origin, detail []*string
	var statusOrganizations, statusTransactions, statusTypes, statuses []string
	for i, o := range outcomes {
		changed[i] = o.Ref
		to = append(to, pg.Text(o.To))
		reason = append(reason, pg.Optional(o.Reason))
		place = append(place, pg.JSON(o.Place))
		if o.Origin != nil {
			origin = append(origin, pg.JSON(o.Origin))
		} else {
			origin = append(origin, nil)
		}
		detail = append(detail, pg.JSON(addressDetail(o)))
		for addressType, status := range o.Statuses {
			statusOrganizations = append(statusOrganizations, o.Ref.OrganizationID)
			statusTransactions = append(statusTransactions, o.Ref.ID)
			statusTypes = append(statusTypes, string(addressType))
			statuses = append(statuses, string(status))
		}
	}
	return s.saveStage(ctx, run, refs, stageStatement{
		sql: saveAddresses, before: beforeAddresses, changed: changed, rows: max(len(changed), len(statuses)),
		args: []any{
			to, reason, place, origin, detail, statusOrganizations, statusTransactions, statusTypes, statuses,
		},
	})
}

func addressDetail(o models.AddressOutcome) map[string]any {
	detail := map[string]any{
		"address_status": o.Place.Status, "jurisdictions": o.Place.Jurisdictions, "ambiguous": o.Place.Ambiguous,
	}
	if o.Reason != "" {
		detail["reason"] = o.Reason
	}
	return detail
}
