package transactions

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// No index has the order by the state of the destination. Stage 1 sets the state, and an index on it would make that
// update write to all other indexes. The counts tell which states a page has. Their rows are read in the order of the
// next key, which has an index.

// queueStates adds the statement that counts by state, in the order of the states. The count without a state is last.
func (q *transactionQuery) queueStates(batch *pgx.Batch, found *[]bucket) {
	whole, pieces := q.wholeDays()
	sql, args := q.countStatement(whole, whole.wholeMonths(), pieces, true)
	batch.Queue(sql, args...).Query(pg.All(found, func(row pgx.CollectableRow) (b bucket, err error) {
		return b, row.Scan(&b.state, &b.n)
	}))
}

// inOrder sorts the states in list order. Absent values come last in any order.
func inOrder(states []bucket, desc bool) []bucket {
	if desc && len(states) > 0 {
		slices.Reverse(states)
		if states[0].state == nil {
			states = append(states[1:], states[0])
		}
	}
	return states
}

// pageByState returns the statement for a page, by the counts of its states. If a state is so rare that finding its
// rows takes longer than sorting all rows, the statement sorts.
func (q *transactionQuery) pageByState(
	keys sortKeysOfTransactions, states []bucket, offset, limit, total int64,
) *statement {
	part := locate(inOrder(states, keys.SortKeys[0].Desc), offset, limit)
	visited := int64(0)
	for _, p := range part {
		visited += (min(p.skip, p.n-p.skip-p.take) + p.take) * total / p.n
	}
	if visited > total {
		return q.pageOfKeys(keys, offset, limit, total)
	}
	var forward, backward []bucketPart
	for _, p := range part {
		if left := p.n - p.skip - p.take; left < p.skip {
			p.skip = left
			backward = append(backward, p)
		} else {
			forward = append(forward, p)
		}
	}
	return q.ofStates(keys, stateRun{part: forward}, stateRun{part: backward, reverse: true})
}

// pageByStateAfter returns the statement for the page after a cursor: rows of the same state, and as many following
// states as a page can need. If their rows are rare, it sorts all rows.
func (q *transactionQuery) pageByStateAfter(
	keys sortKeysOfTransactions, states []bucket, place *models.Place, limit, total int64,
) *statement {
	at := place.Keys[0]
	states = inOrder(states, keys.SortKeys[0].Desc)
	current := slices.IndexFunc(states, func(b bucket) bool {
		return b.state == at || b.state != nil && at != nil && *b.state == *at
	})
	if current < 0 {
		return q.pageAfter(keys, place.Keys, limit, total)
	}
	here := bucketPart{states[current], 0, limit}
	visited, following := limit*total/here.n, locate(states[current+1:], 0, limit)
	for _, p := range following {
		visited += p.take * total / p.n
	}
	if visited > total {
		return q.pageAfter(keys, place.Keys, limit, total)
	}
	return q.ofStates(keys, stateRun{part: []bucketPart{here}, after: place.Keys[1:]}, stateRun{part: following})
}

// stateRun are rows of some states in the order of the keys that follow the state, or in its reverse. With after,
// they begin after these values of the keys.
type stateRun struct {
	part    []bucketPart
	reverse bool
	after   []*string
}

func (q *transactionQuery) ofStates(keys sortKeysOfTransactions, runs ...stateRun) *statement {
	where, args := q.whereOf("d")
	var chosen []string
	for _, run := range runs {
		if len(run.part) == 0 {
			continue
		}
		states, skip, take := make([]*string, len(run.part)), make([]int64, len(run.part)), make([]int64, len(run.part))
		for i, p := range run.part {
			states[i], skip[i], take[i] = p.state, p.skip, p.take
		}
		rows := transactionQuery{args: append(args, states, skip, take)}
		rows.and("t.state IS NOT DISTINCT FROM d.state")
		if run.after != nil {
			rows.after(keys.SortKeys[1:], run.after)
		}
		n := len(args)
		chosen = append(chosen, fmt.Sprintf(`
			SELECT x.key FROM (
			  SELECT $1::text AS organization_id, u.*
			    FROM unnest($%d::text[], $%d::bigint[], $%d::bigint[]) AS u(state, skip, take) OFFSET 0) d
			 CROSS JOIN LATERAL (SELECT t.%s AS key FROM transactions t%s AND %s%s LIMIT d.take OFFSET d.skip) x`,
			n+1, n+2, n+3, keys.keyColumn(), where, strings.Join(rows.conditions, " AND "), keys.SortKeys[1:].OrderBy(run.reverse)))
		args = rows.args
	}
	return &statement{strings.Join(chosen, " UNION ALL "), args}
}
