package transactions

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"levy/internal/packed"
	"levy/models"
	"levy/rules"
	"levy/store/pg"
)

// readSold reads what the coupon lines of the sale take off its other lines. It also reads what its law needs to judge the
// collected tax of a refund. Only a sale with coupon lines and a lower price cost round trips. The explanation of the sale says how
// its coupon lines were spread, or the classes of its products before it is calculated.
func (c *creditCall) readSold(ctx context.Context, known *references, d *models.RefundDraft) error {
	sale := &c.account.Sale
	coupons, judged := rules.HasCoupons(sale.Items), rules.JudgesPrices(&c.account, d)
	if !coupons && !judged {
		return nil
	}
	batch := &pgx.Batch{}
	var stored json.RawMessage
	if sale.ProcessingStatus.Calculated() {
		selectOriginalExplanations.Queue(batch, nil, keyRows.Of([]models.Ref{sale.Ref()})).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				var at pg.Key
				var explanation packed.JSON
				if err := rows.Scan(&at.OrganizationID, &at.Name, &explanation); err != nil {
					return err
				}
				stored = json.RawMessage(explanation)
			}
			return rows.Err()
		})
	} else {
		var products pg.KeySet
		for i := range sale.Items {
			products.Add(sale.OrganizationID, sale.Items[i].ExternalProductID)
		}
		known.queueProducts(batch, products)
	}
	others := &stageBatch{index: map[pg.Key]int{}}
	if judged {
		queueOthers(batch, sale.Ref(), d.ID, others)
	}
	if err := c.conn.Send(ctx, batch); err != nil {
		return err
	}
	if judged {
		if err := c.judge(ctx, stored, others); err != nil {
			return err
		}
	}
	if !coupons {
		return nil
	}
	setClasses(sale, known)
	return rules.ReadCoupons(&c.account, stored)
}

// setClasses sets the classes of the products of lines, which decide off which lines coupon lines go.
func setClasses(t *models.Transaction, known *references) {
	for i := range t.Items {
		item := &t.Items[i]
		item.TaxClass = known.products[pg.KeyOf(t.OrganizationID, item.ExternalProductID)].TaxClass
	}
}
