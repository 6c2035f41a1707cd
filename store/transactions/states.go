package transactions

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// The order by state has no index: stage 1 sets the state, and an index on it would make
// that update write to all others. The counts say which states a page holds; their rows
// are met in the order of the next key, which has one.

// queueStates counts by state, in the order of the states; those without one come last.
func (q *transactionQuery) queueStates(batch *pgx.Batch, found *[]bucket) {
	whole, pieces := q.wholeDays()
	sql, args := q.spread(whole, whole.wholeMonths(), pieces, true)
	batch.Queue(sql, args...).Query(func(rows pgx.Rows) (err error) {
		*found, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (b bucket, err error) {
			return b, row.Scan(&b.state, &b.n)
		})
		return err
	})
}

// pageByState chooses a page of the states in which it lies. Where they are so rare that
// looking for their rows would take longer than sorting everything, it is sorted.
func (q *transactionQuery) pageByState(
	keys sortKeysOfTransactions, states []bucket, offset, limit, total int64,
) *statement {
	if keys[0].desc {
		slices.Reverse(states)
		if states[0].state == nil { // absent values come last in any order
			states = append(states[1:], states[0])
		}
	}
	part := locate(states, offset, limit)
	met := int64(0)
	for _, p := range part {
		met += (min(p.skip, p.n-p.skip-p.take) + p.take) * total / p.n
	}
	if met > total {
		return q.pageOfKeys(keys, offset, limit, total)
	}
	var forward, backward []stretch
	for _, p := range part {
		if left := p.n - p.skip - p.take; left < p.skip {
			p.skip = left
			backward = append(backward, p)
		} else {
			forward = append(forward, p)
		}
	}
	where, args := q.whereOf("d")
	var chosen []string
	for _, run := range []struct {
		part    []stretch
		reverse bool
	}{{forward, false}, {backward, true}} {
		if len(run.part) == 0 {
			continue
		}
		states, skip, take := make([]*string, len(run.part)), make([]int64, len(run.part)), make([]int64, len(run.part))
		for i, p := range run.part {
			states[i], skip[i], take[i] = p.state, p.skip, p.take
		}
		n := len(args)
		chosen = append(chosen, fmt.Sprintf(`
			SELECT x.key FROM (
			  SELECT $1::text AS organization_id, u.*
			    FROM unnest($%d::text[], $%d::bigint[], $%d::bigint[]) AS u(state, skip, take) OFFSET 0) d
			 CROSS JOIN LATERAL (SELECT t.%s AS key FROM transactions t%s AND t.state IS NOT DISTINCT FROM d.state%s LIMIT d.take OFFSET d.skip) x`,
			n+1, n+2, n+3, keys.name(), where, keys[1:].orderBy(run.reverse)))
		args = append(args, states, skip, take)
	}
	return &statement{strings.Join(chosen, " UNION ALL "), args}
}
