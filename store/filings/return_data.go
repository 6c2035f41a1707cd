package filings

import (
	"levy/models"
	"levy/store/pg"
)

// WantsJSON returns wants as Wanted reads them.
func WantsJSON(wants models.ReturnWants) *string {
	return pg.JSON(append(models.ReturnWants{}, wants...))
}

// Wanted returns the rows w of models.ReturnWants, which an argument has as JSON.
func Wanted(argument string) string {
	return `jsonb_to_recordset(` + argument + `::jsonb) w (country text, state text, frequency text, kind text, payment_method text,
	         first date, last date, data text)`
}

// LackingData returns an expression for the data that returns of a registration r lack: its names in the order of the
// alphabet, or NULL. The returns end on a day and have a frequency. wanted are the rows w of Wanted.
func LackingData(wanted, day, frequency string) string {
	return `(
	  SELECT array_agg(DISTINCT w.data ORDER BY w.data) FROM ` + wanted + `
	   WHERE ` + WantedOf(day, frequency, PaymentMethod) + ` AND ` + Lacks("w.data") + `)`
}

// WantedOf returns the condition on a row w of Wanted that returns of a registration r want its data. They end on a day and have
// a frequency. method is the payment method of the registration.
func WantedOf(day, frequency, method string) string {
	return `w.country IN ('', r.country_code) AND w.state IN ('', r.state_code) AND w.kind IN ('', r.registration_import_type)
	     AND w.frequency IN ('', ` + frequency + `) AND w.payment_method IN ('', ` + method + `)
	     AND ` + day + ` BETWEEN coalesce(w.first, '-infinity') AND coalesce(w.last, 'infinity')`
}

// PaymentMethod is the payment method of a registration r; NULL for none.
const PaymentMethod = "r.jurisdiction_specific_fields ->> 'payment_method'"

// Lacks returns the condition that a registration r lacks a piece of data.
func Lacks(data string) string {
	return `coalesce(CASE ` + data + `
	           WHEN '` + models.WantedNumber + `' THEN coalesce(r.sales_tax_id, r.tax_id)
	           WHEN '` + models.WantedEIN + `' THEN (
	             SELECT d.business_details ->> 'ein' FROM organization_details d WHERE d.organization_id = r.organization_id)
	           WHEN '` + models.WantedShared + `' THEN (
	             SELECT t.sst_id FROM organization_settings t WHERE t.organization_id = r.organization_id)
	           WHEN '` + models.WantedContact + `' THEN (
	             SELECT d.business_contact ->> 'business_contact_name' FROM organization_details d
	              WHERE d.organization_id = r.organization_id)
	           WHEN '` + models.WantedBank + `' THEN (SELECT b.id FROM bank_details b WHERE b.organization_id = r.organization_id)
	           ELSE CASE WHEN json_typeof(r.jurisdiction_specific_fields -> ` + data + `) IN ('string', 'number')
	                THEN r.jurisdiction_specific_fields ->> ` + data + ` END END, '') = ''`
}
