package transactions

import (
	"context"

	"levy/models"
	"levy/store/pg"
	"levy/tax"
)

// contributionsOfEnded finds the contributions of transactions that an obligation queued again and that end here.
const contributionsOfEnded = currentContributions + `
	   WHERE m.processing_status <> 'ADDRESS_DONE')`

var saveAddresses = prepareStage(`
	WITH input AS (SELECT * FROM {outcome}),`+stageHead+`,
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
	statuses AS (
	  UPDATE transaction_addresses a SET status = checked.status
	    FROM {checked} JOIN updated m ON m.organization_id = checked.organization_id AND m.id = checked.transaction_id
	   WHERE a.organization_id = checked.organization_id AND a.transaction_id = checked.transaction_id
	     AND a.type = checked.type),`+
	contributionsOfEnded+`,`+removeCurrent+`,`+stageTail+holdFor+`'ADDRESS'`+holdEnd+cacheForeignKeyPlans, addressRows, checkedRows)

// SaveAddresses sets transactions to ADDRESS_DONE, or to the end status of the outcome, with the place that was found.
func (s *Store) SaveAddresses(
	ctx context.Context, run models.StageRun, refs []models.Ref, outcomes []models.AddressOutcome,
) ([]models.StageState, error) {
	var checked []checkedAddress
	for i := range outcomes {
		for addressType, status := range outcomes[i].Statuses {
			checked = append(checked, checkedAddress{&outcomes[i].Ref, addressType, status})
		}
	}
	return s.saveStage(ctx, run, refs, stageSave{
		saveAddresses, beforeAddresses, []pg.Arrays{addressRows.Of(outcomes), checkedRows.Of(checked)},
	})
}

var addressRows = pg.RowsOf("outcome", refColumns(func(o *models.AddressOutcome) *models.Ref { return &o.Ref },
	pg.Col("to_status", "text", func(o *models.AddressOutcome) *string { return (*string)(&o.To) }),
	pg.Col("reason", "text", func(o *models.AddressOutcome) *string { return pg.Optional(o.Reason) }),
	pg.Col("place", "jsonb", func(o *models.AddressOutcome) *string { return pg.JSON(o.Place) }),
	pg.Col("origin", "jsonb", func(o *models.AddressOutcome) *string {
		if o.Origin == nil {
			return nil
		}
		return pg.JSON(o.Origin)
	}),
	pg.Col("detail", "jsonb", func(o *models.AddressOutcome) *string { return pg.JSON(addressDetail(*o)) }),
)...)

type checkedAddress struct {
	ref         *models.Ref
	addressType models.AddressType
	status      tax.AddressStatus
}

var checkedRows = pg.RowsOf("checked", partColumns(func(a *checkedAddress) *models.Ref { return a.ref },
	pg.Col("type", "text", func(a *checkedAddress) *string { return (*string)(&a.addressType) }),
	pg.Col("status", "text", func(a *checkedAddress) *string { return (*string)(&a.status) }),
)...)

func addressDetail(o models.AddressOutcome) map[string]any {
	detail := map[string]any{
		"address_status": o.Place.Status, "jurisdictions": o.Place.Jurisdictions, "ambiguous": o.Place.Ambiguous,
	}
	if o.Reason != "" {
		detail["reason"] = o.Reason
	}
	return detail
}
