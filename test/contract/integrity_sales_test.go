package contract_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// sell posts a drawn sale: with or without a total, of any status, day and currency, with or without tax in its prices.
func (h *history) sell(shop *historyShop) {
	sale := h.drawer.sale()
	sale["external_id"] = h.next("ORDER")
	sale["date"] = h.day()
	if h.chance(40) {
		delete(sale, "total_amount")
	}
	if h.chance(15) {
		sale["status"] = h.one("PENDING", "PENDING", "CANCELLED")
	}
	if h.chance(10) {
		sale["currency"] = h.one("EUR", "CAD", "GBP")
	}
	if h.chance(10) {
		sale["prices_include_tax"] = true
	}
	if h.chance(3) {
		sale["type"] = "ARCHIVE"
	}
	if h.chance(10) {
		coupon := h.line("COUPON")
		coupon["amount"] = "-" + h.amount(3)
		coupon["tax_amount_imported"] = "0"
		sale["transaction_items"] = append(sale.list("transaction_items"), map[string]any(coupon))
	}
	body, err := json.Marshal(sale)
	require.NoError(h.t, err)
	a := h.try(shop.credentials, "POST", "/v1/transactions", string(body))
	if a.status == 202 {
		var made []struct{ ID string }
		a.decode(h.t, &made)
		shop.sales = append(shop.sales, made[0].ID)
		h.story = append(h.story, "which is "+made[0].ID)
	}
}

func (h *history) day() string {
	return fmt.Sprintf("2026-%02d-%02dT10:00:00Z", 1+h.IntN(6), 1+h.IntN(28))
}

// process takes some queued transactions through some of the stages.
func (h *history) process(shop *historyShop) {
	stages := allStages
	if h.chance(15) {
		stages = 1 + h.IntN(3)
	}
	h.processQueued(shop, 1+h.IntN(30), stages)
}

func (h *history) processQueued(shop *historyShop, most, stages int) {
	h.t.Helper()
	rows, err := h.behind.Query(h.t.Context(), `SELECT id FROM transactions WHERE organization_id = $1
		AND processing_status IN ('NEW', 'UPDATED', 'QUEUED') ORDER BY related_to IS NOT NULL, id`, shop.organization)
	require.NoError(h.t, err)
	queued, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(h.t, err)
	queued = queued[:min(most, len(queued))]
	if len(queued) == 0 {
		return
	}
	h.story = append(h.story, fmt.Sprint("processed ", stages, " ", queued))
	h.through(h.work(shop.credentials, queued...), stages)
}

// replace writes a sale back with a change.
func (h *history) replace(shop *historyShop) {
	id, ok := drawn(h, shop.sales)
	if !ok {
		return
	}
	shown := h.get(shop.credentials, "/v1/transactions/"+id)
	if len(shown.list("transaction_items")) == 0 {
		return
	}
	h.alter(record{"transaction_items": shown.without().list("transaction_items")}, shown)
	if h.chance(30) {
		delete(shown, "total_amount")
	}
	if h.chance(10) {
		shown["total_amount"] = h.amount(900)
	}
	body, err := json.Marshal(shown)
	require.NoError(h.t, err)
	h.try(shop.credentials, "PUT", "/v1/transactions/"+id, string(body))
}

func (h *history) setStatus(shop *historyShop) {
	if id, ok := drawn(h, shop.sales); ok {
		h.try(shop.credentials, "PUT", "/v1/transactions/"+id,
			fmt.Sprintf(`{"status":%q}`, h.one("COMMITTED", "COMMITTED", "CANCELLED", "INVALID")))
	}
}

func (h *history) archive(shop *historyShop) {
	if id, ok := drawn(h, shop.sales); ok {
		h.try(shop.credentials, "POST", "/v1/transactions/archive", fmt.Sprintf(`{"transaction_ids":[%q]}`, id))
	}
	if h.chance(30) && len(shop.notes) > 0 {
		h.try(shop.credentials, "POST", "/v1/transactions/archive",
			fmt.Sprintf(`{"transaction_ids":[%q]}`, shop.notes[h.IntN(len(shop.notes))].id))
	}
}

// giveBack posts a credit note of parts of the lines of a sale, or of all.
func (h *history) giveBack(shop *historyShop) {
	id, ok := drawn(h, shop.sales)
	if !ok {
		return
	}
	var sale struct {
		Currency string
		Items    []struct {
			ExternalID string `json:"external_id"`
			Product    string `json:"external_product_id"`
			Amount     string
			Discount   string `json:"total_discount"`
			Tax        string `json:"tax_amount_imported"`
		} `json:"transaction_items"`
	}
	h.call(shop.credentials, "GET", "/v1/transactions/"+id, "", 200).decode(h.t, &sale)
	all := h.chance(40)
	var lines []string
	total, with := 0, h.chance(50)
	for i, line := range sale.Items {
		amount, tax := inCents(line.Amount)-inCents(line.Discount), inCents(line.Tax)
		if !all {
			if h.chance(40) && i > 0 || amount <= 0 {
				continue
			}
			amount, tax = h.IntN(amount+1), h.IntN(tax+1)
		}
		if with {
			tax = 0
		}
		total += amount + tax
		lines = append(lines, noteLine(line.ExternalID, line.Product, h.one("0", "0", "0.5"), cents(amount), cents(tax)))
	}
	if h.chance(15) {
		total += h.IntN(500)
	}
	if total <= 0 {
		return
	}
	body := noteBody(h.next("NOTE"), h.one("COMMITTED", "COMMITTED", "COMMITTED", "PENDING", "CANCELLED"), cents(total),
		strings.Join(lines, ","))
	a := h.try(shop.credentials, "POST", "/v1/transactions/"+id+"/credit_notes",
		strings.ReplaceAll(strings.Replace(body, "USD", sale.Currency, 1), "2026-06-01", "2026-07-01"))
	if a.status == 200 {
		shop.notes = append(shop.notes, historyNote{id, a.text(h.t, "id")})
	}
}

func (h *history) refundTax(shop *historyShop) {
	id, ok := drawn(h, shop.sales)
	if !ok {
		return
	}
	sale := h.get(shop.credentials, "/v1/transactions/"+id)
	line := sale.line(0)
	tax := cents(1 + h.IntN(200))
	a := h.try(shop.credentials, "POST", "/v1/transactions", fmt.Sprintf(`{"external_id":%q,"type":"TAX_REFUND",
		"related_to":%q,"currency":%q,"date":"2026-07-10T10:00:00Z","total_amount":%q,"customer":{"external_id":"PLAIN"},
		"addresses":[],"transaction_items":[{"external_id":%q,"external_product_id":%q,"date":"2026-07-10T10:00:00Z",
		"amount":0,"tax_amount_imported":%q}]}`, h.next("TAX"), id, sale["currency"], tax, line["external_id"],
		line["external_product_id"], tax))
	if a.status == 202 {
		var made []struct{ ID string }
		a.decode(h.t, &made)
		shop.notes = append(shop.notes, historyNote{id, made[0].ID})
	}
}

func (h *history) changeNote(shop *historyShop) {
	note, ok := drawn(h, shop.notes)
	if !ok {
		return
	}
	change := h.one(`{"status":"COMMITTED"}`, `{"status":"CANCELLED"}`, `{"total_amount":"`+h.amount(60)+`"}`,
		`{"status":"CANCELLED","total_amount":0}`, `{"description":"Late"}`, `{"date":"2026-07-20T10:00:00Z"}`)
	h.try(shop.credentials, "PUT", "/v1/transactions/"+note.of+"/credit_notes/"+note.id, change)
}

// inCents is an amount of the answer.
func inCents(amount string) (cents int) {
	whole, part, _ := strings.Cut(amount, ".")
	cents, _ = strconv.Atoi(whole + (part + "00")[:2])
	return cents
}
