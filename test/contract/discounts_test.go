package contract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// soldLine is a line of an estimate or a transaction.
type soldLine struct {
	Amount       string
	Discount     string  `json:"total_discount"`
	Taxable      string  `json:"taxable_amount"`
	ReimbursedBy string  `json:"reimbursed_by"`
	TradeIn      *bool   `json:"trade_in"`
	Exempt       bool    `json:"exempt"`
	Exemption    *string `json:"tax_exemption"`
	TaxEstimated string  `json:"tax_amount"`
	TaxRecorded  string  `json:"tax_amount_calculated"`
}

// soldAnswer has the fields that an estimate and a transaction share.
type soldAnswer struct {
	ID       string
	Tax      string `json:"total_tax_amount_calculated"`
	Taxable  string `json:"taxable_amount"`
	Exempt   string
	Revision int
	Subtotal string
	Final    string     `json:"final_total_amount"`
	Items    []soldLine `json:"transaction_items"`
	Warnings []struct {
		Code string
		Line *int
	}
}

// taxes writes bases and taxes of the lines and the codes of the warnings.
func (a *soldAnswer) taxes() string {
	var parts []string
	for _, l := range a.Items {
		parts = append(parts, l.Discount+" "+l.Taxable+" "+l.TaxEstimated+l.TaxRecorded)
	}
	for _, w := range a.Warnings {
		parts = append(parts, w.Code)
	}
	return strings.Join(append(parts, a.Tax, a.Taxable), "; ")
}

// discountShop is a client with products of several classes.
func (in *installation) discountShop() credentials {
	in.t.Helper()
	client := in.merchant()
	for _, product := range []string{
		`{"external_id":"COAT","name":"Coat","product_category":"CLOTHING","product_subcategory":"GENERAL_CLOTHING"}`,
		`{"external_id":"COAT-OFF","name":"Coat coupon","product_category":"CLOTHING",` +
			`"product_subcategory":"GENERAL_CLOTHING"}`,
		`{"external_id":"TV","name":"TV","product_category":"PHYSICAL","product_subcategory":"PHYSICAL_GENERAL"}`,
		`{"external_id":"OFF","name":"Coupon","product_category":"PHYSICAL","product_subcategory":"PHYSICAL_GENERAL"}`,
	} {
		in.call(client, "POST", "/v1/products", product, 200)
	}
	return client
}

const inBoston = `"addresses":[{"type":"SHIP_TO","street_1":"1 Beacon St","city":"Boston","state":"MA",` +
	`"postal_code":"02108","country":"US"}]`

func discountSale(id, place, lines string) string {
	return fmt.Sprintf(`{"external_id":%q,"type":"SALE","date":"2026-05-15T10:00:00Z","currency":"USD",
		"customer":{"external_id":"C-1"},%s,"transaction_items":[%s]}`, id, place, lines)
}

// The lines are those of a sale to Boston at 6.25 %, or to New York at 8.875 %.
func TestDiscountLinesAreTheSameAtEveryDoor(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.discountShop()
	const day = `"date":"2026-05-15T10:00:00Z"`
	tv := `{"external_id":"1","external_product_id":"TV","amount":"400.00",` + day + `}`
	coat := `{"external_id":"2","external_product_id":"COAT","amount":"200.00",` + day + `}`
	inNewYork := strings.NewReplacer("1 Beacon St", "350 5th Ave", "Boston", "New York", "MA", "NY", "02108", "10118").
		Replace(inBoston)
	for _, test := range []struct{ rule, place, lines, taxes string }{
		{"a coupon of the class of coats: 180.00, of which 5.00 are above 175", inBoston,
			tv + "," + coat + `,{"external_id":"3","external_product_id":"COAT-OFF","amount":"-20.00",` + day + `}`,
			"0.00 400.00 25.00; 0.00 5.00 0.31; 0.00 0.00 0.00; 25.31; 405.00"},
		{"a coupon of everything: 40.00 and 20.00", inBoston,
			tv + "," + coat + `,{"external_id":"3","external_product_id":"OFF","amount":"-60.00",` + day + `}`,
			"0.00 360.00 22.50; 0.00 5.00 0.31; 0.00 0.00 0.00; 22.81; 365.00"},
		{"and 56.00 off the order, by what the coupon of the coat leaves", inBoston,
			strings.Replace(tv, `"amount"`, `"discount_builder":{"applied_to":"TRANSACTION","discount_amount":56},"amount"`, 1) +
				"," + coat + `,{"external_id":"3","external_product_id":"COAT-OFF","amount":"-40.00",` + day + `}`,
			"40.00 360.00 22.50; 16.00 0.00 0.00; 0.00 0.00 0.00; 22.50; 360.00"},
		{"a manufacturer's coupon stays in the base in New York", inNewYork,
			tv + `,{"external_id":"3","external_product_id":"TV","amount":"-50.00","reimbursed_by":"MANUFACTURER",` + day + `}`,
			"0.00 400.00 35.50; 0.00 0.00 0.00; 35.50; 400.00"},
		{"and lowers it in Massachusetts", inBoston,
			tv + `,{"external_id":"3","external_product_id":"TV","amount":"-50.00","reimbursed_by":"MANUFACTURER",` + day + `}`,
			"0.00 350.00 21.88; 0.00 0.00 0.00; 21.88; 350.00"},
		{"so does a discount that the manufacturer reimburses", inNewYork,
			strings.Replace(tv, `"amount"`, `"discount_builder":{"applied_to":"TRANSACTION_ITEM","discount_amount":50,`+
				`"reimbursed_by":"MANUFACTURER"},"amount"`, 1),
			"50.00 400.00 35.50; 35.50; 400.00"},
		{"one of a third party, of which the law is not known", inBoston,
			tv + `,{"external_id":"3","external_product_id":"TV","amount":"-50.00","reimbursed_by":"THIRD_PARTY",` + day + `}`,
			"0.00 350.00 21.88; 0.00 0.00 0.00; REIMBURSED_UNKNOWN; 21.88; 350.00"},
		{"a trade-in lowers the base in New York", inNewYork,
			tv + `,{"external_id":"3","external_product_id":"OFF","amount":"-50.00","trade_in":true,` + day + `}`,
			"0.00 350.00 31.06; 0.00 0.00 0.00; 31.06; 350.00"},
		{"and not in Massachusetts", inBoston,
			tv + `,{"external_id":"3","external_product_id":"OFF","amount":"-50.00","trade_in":true,` + day + `}`,
			"0.00 400.00 25.00; 0.00 0.00 0.00; 25.00; 400.00"},
		{"more discount than goods", inBoston,
			tv + `,{"external_id":"3","external_product_id":"OFF","amount":"-450.00",` + day + `}`,
			"0.00 0.00 0.00; 0.00 0.00 0.00; NEGATIVE_TOTAL; 0.00; 0.00"},
	} {
		var estimate, sale, batch soldAnswer
		in.call(shop, "POST", "/v1/tax/estimate", fmt.Sprintf(`{"date":"2026-05-15T10:00:00Z",%s,"transaction_items":[%s]}`,
			test.place, test.lines), 200).decode(t, &estimate)
		require.Equal(t, test.taxes, estimate.taxes(), test.rule)
		body := discountSale(in.next("ORDER"), test.place, test.lines)
		var posted []struct{ ID string }
		in.call(shop, "POST", "/v1/transactions", body, 202).decode(t, &posted)
		var rows struct {
			Items []struct {
				ID string `json:"transaction_id"`
			}
		}
		in.call(shop, "POST", "/v1/transactions/batch", `{"transactions":[`+
			discountSale(in.next("ORDER"), test.place, test.lines)+`]}`, 200).decode(t, &rows)
		in.processed(shop, posted[0].ID)
		in.processed(shop, rows.Items[0].ID)
		in.call(shop, "GET", "/v1/transactions/"+posted[0].ID, "", 200).decode(t, &sale)
		in.call(shop, "GET", "/v1/transactions/"+rows.Items[0].ID, "", 200).decode(t, &batch)
		require.Equal(t, test.taxes, sale.taxes(), test.rule)
		require.Equal(t, test.taxes, batch.taxes(), test.rule)
		for _, l := range sale.Items {
			if !strings.HasPrefix(l.Amount, "-") {
				require.Nil(t, l.TradeIn, test.rule)
				continue
			}
			require.NotEmpty(t, l.ReimbursedBy, test.rule)
			require.NotNil(t, l.TradeIn, test.rule)
			require.False(t, l.Exempt, test.rule)
			require.Nil(t, l.Exemption, test.rule)
		}
		in.unchangedByItsOwnAnswer(shop, posted[0].ID, test.taxes)
	}
}

// unchangedByItsOwnAnswer sends what GET shows, and expects the same record.
func (in *installation) unchangedByItsOwnAnswer(as credentials, id, taxes string) {
	in.t.Helper()
	before := in.call(as, "GET", "/v1/transactions/"+id, "", 200)
	in.call(as, "PUT", "/v1/transactions/"+id, string(before.body), 200)
	in.processed(as, id)
	var after soldAnswer
	in.call(as, "GET", "/v1/transactions/"+id, "", 200).decode(in.t, &after)
	require.Equal(in.t, taxes, after.taxes())
	require.Equal(in.t, 2, after.Revision)
}

func TestTheExplanationSaysWhereACouponWent(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.discountShop()
	const day = `"date":"2026-05-15T10:00:00Z"`
	var posted []struct{ ID string }
	in.call(shop, "POST", "/v1/transactions", discountSale(in.next("ORDER"), inBoston,
		`{"external_product_id":"TV","amount":"60.00",`+day+`},{"external_product_id":"P-1","amount":"40.00",`+day+
			`},{"external_product_id":"OFF","amount":"-10.00",`+day+`}`), 202).decode(t, &posted)
	in.processed(shop, posted[0].ID)
	var explained struct {
		Items []struct {
			ID     string `json:"item_id"`
			Net    string `json:"net_amount"`
			Spread []struct {
				ItemID string `json:"item_id"`
				Amount string
			}
		}
		Steps []struct{ Text string }
	}
	in.call(shop, "GET", "/v1/transactions/"+posted[0].ID+"/explanation", "", 200).decode(t, &explained)
	require.Equal(t, "54.00 36.00 0.00", explained.Items[0].Net+" "+explained.Items[1].Net+" "+explained.Items[2].Net)
	spread := explained.Items[2].Spread
	require.Len(t, spread, 2)
	require.Equal(t, explained.Items[0].ID+" 6.00 "+explained.Items[1].ID+" 4.00",
		spread[0].ItemID+" "+spread[0].Amount+" "+spread[1].ItemID+" "+spread[1].Amount)
	require.Empty(t, explained.Items[0].Spread)
	var text strings.Builder
	for _, s := range explained.Steps {
		text.WriteString(s.Text)
	}
	require.Contains(t, text.String(), "6.00 off line 1, 4.00 off line 2")
}

func TestDiscountLinesAreCheckedAtEveryDoor(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.discountShop()
	const day = `"date":"2026-05-15T10:00:00Z"`
	tv := `{"external_product_id":"TV","amount":"40.00",` + day + `}`
	for _, test := range []struct{ rule, lines, code, location string }{
		{"a trade-in that is no negative line", strings.Replace(tv, `"amount"`, `"trade_in":true,"amount"`, 1),
			"not_allowed", "body.transaction_items[0].trade_in"},
		{"an unknown bearer", strings.Replace(tv, `"amount"`, `"reimbursed_by":"BANK","amount"`, 1),
			"invalid_enum", "body.transaction_items[0].reimbursed_by"},
		{"a discount above what coupons leave", strings.Replace(tv, `"amount"`,
			`"discount_builder":{"applied_to":"TRANSACTION","discount_amount":30.01},"amount"`, 1) +
			`,{"external_product_id":"OFF","amount":"-10.00",` + day + `}`,
			"out_of_range", "body.transaction_items[0].discount_builder.discount_amount"},
	} {
		for _, path := range []string{"/v1/tax/estimate", "/v1/transactions"} {
			body := discountSale(in.next("ORDER"), inBoston, test.lines)
			if path == "/v1/tax/estimate" {
				body = fmt.Sprintf(`{%s,"transaction_items":[%s]}`, inBoston, test.lines)
			}
			var problem struct {
				Errors []struct{ Code, Location string }
			}
			in.call(shop, "POST", path, body, 400).decode(t, &problem)
			require.Equal(t, test.code+" "+test.location, problem.Errors[0].Code+" "+problem.Errors[0].Location,
				"%s %s", test.rule, path)
		}
	}
	// reimbursed_by of a line above zero is ignored.
	var posted []soldAnswer
	in.call(shop, "POST", "/v1/transactions", discountSale(in.next("ORDER"), inBoston,
		strings.Replace(tv, `"amount"`, `"reimbursed_by":"MANUFACTURER","amount"`, 1)), 202).decode(t, &posted)
	require.Empty(t, posted[0].Items[0].ReimbursedBy)
}
