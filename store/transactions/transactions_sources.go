package transactions

import (
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"levy/internal/packed"
	"levy/models"
	"levy/tax"
)

// explainedSources are the parts of an explanation about the law of each tax of each line.
type explainedSources struct {
	Items []struct {
		ItemID string `json:"item_id"`
		Lines  []struct {
			RuleID string               `json:"rule_id"`
			Source *tax.ExplainedSource `json:"source"`
		} `json:"lines"`
	} `json:"items"`
}

// queueSources adds the statement that reads the laws of the taxes of a transaction from its explanation,
// which has them already. It follows the statement of the lines.
func (s *transactionSet) queueSources(batch *pgx.Batch, which string, args ...any) {
	batch.Queue(`
		SELECT t.id, `+packed.Column("e")+`
		  FROM transactions t
		  JOIN transaction_explanations e ON e.organization_id = t.organization_id AND e.transaction_id = t.id
		    AND e.epoch = t.epoch
		 WHERE t.organization_id = $1 AND t.id `+which, args...).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			var id string
			var explanation packed.JSON
			if err := rows.Scan(&id, &explanation); err != nil {
				return err
			}
			t, err := s.of(id)
			if err != nil {
				return err
			}
			var explained explainedSources
			if err := json.Unmarshal(explanation, &explained); err != nil {
				return fmt.Errorf("read explanation: %w", err)
			}
			explained.cite(t)
		}
		return rows.Err()
	})
}

// cite sets the laws of the calculated taxes. They have the same order as in the explanation.
func (e *explainedSources) cite(t *models.Transaction) {
	if len(e.Items) != len(t.Items) {
		return
	}
	for i := range t.Items {
		line, next := &t.Items[i], 0
		for j := range line.TaxItems {
			item := &line.TaxItems[j]
			if item.Type != models.TaxItemCalculated || next == len(e.Items[i].Lines) || e.Items[i].ItemID != line.ID {
				continue
			}
			if from := &e.Items[i].Lines[next]; from.RuleID == item.RuleID {
				item.Source = from.Source.Citation()
			}
			next++
		}
	}
}
