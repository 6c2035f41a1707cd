package catalog

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"levy/internal/secret"
	"levy/models"
	"levy/store/pg"
)

// Tax numbers of exemptions are encrypted; equal ones of an organization have equal ciphertexts. To search or sort
// them, the distinct numbers of the organization are read and decrypted in memory, about a microsecond each.

// maxSorted is the most numbers in memory at once.
const maxSorted = 200_000

// taxIDColumns are the columns with numbers, by which a list may be sorted.
var taxIDColumns = []string{"fein", "sales_tax_id"}

// eachNumber calls each with every distinct number of the exemptions of an organization, as stored and in clear.
func (s *Store) eachNumber(
	ctx context.Context, scope models.Scope, columns []string, each func(stored, plain string) error,
) error {
	var key *secret.TextKey
	var parts []string
	for _, column := range columns {
		parts = append(parts, "SELECT DISTINCT "+column+" AS n FROM exemptions WHERE organization_id = $1 "+
			"AND "+column+" IS NOT NULL")
	}
	rows, err := s.db.OpenTables().Query(ctx, strings.Join(parts, " UNION "), scope.OrganizationID)
	if err != nil {
		return pg.Translate(err)
	}
	defer rows.Close()
	for rows.Next() {
		if key == nil {
			if key, err = s.db.LoadTaxIDKey(ctx); err != nil {
				return err
			}
		}
		var stored string
		if err := rows.Scan(&stored); err != nil {
			return err
		}
		plain, err := key.Open(scope.OrganizationID, stored)
		if err != nil {
			return err
		}
		if err := each(stored, plain); err != nil {
			return err
		}
	}
	return pg.Translate(rows.Err())
}

// taxIDsContaining returns the numbers, as stored, that contain part in any letter case.
func (s *Store) taxIDsContaining(ctx context.Context, scope models.Scope, part string) ([]string, error) {
	found, part := []string{}, strings.ToLower(part)
	err := s.eachNumber(ctx, scope, taxIDColumns, func(stored, plain string) error {
		if strings.Contains(strings.ToLower(plain), part) {
			found = append(found, stored)
		}
		return checkNumbers(len(found), "search_query")
	})
	return found, err
}

// rankTaxIDs lets q sort by numbers. It returns q with the columns fein_rank and sales_tax_id_rank,
// and the order with their names.
func (s *Store) rankTaxIDs(
	ctx context.Context, scope models.Scope, q *gorm.DB, order []models.Order,
) (*gorm.DB, []models.Order, error) {
	order = slices.Clone(order)
	columns, joins := []string{"exemptions.*"}, []string{}
	args := []any{}
	for i, o := range order {
		if !slices.Contains(taxIDColumns, o.Column) {
			continue
		}
		ranked, err := s.rankedNumbers(ctx, scope, o.Column)
		if err != nil {
			return q, order, err
		}
		order[i].Column += "_rank"
		columns = append(columns, fmt.Sprintf("r%d.n %s", i, order[i].Column))
		joins = append(joins, fmt.Sprintf(" LEFT JOIN jsonb_array_elements_text(?) WITH ORDINALITY AS r%[1]d (v, n) "+
			"ON r%[1]d.v = exemptions.%[2]s", i, o.Column))
		args = append(args, *pg.JSON(ranked))
	}
	if len(args) == 0 {
		return q, order, nil
	}
	from := "(SELECT " + strings.Join(columns, ", ") + " FROM exemptions" + strings.Join(joins, "") +
		" WHERE organization_id = ?) AS exemptions"
	return q.Table(from, append(args, scope.OrganizationID)...), order, nil
}

// rankedNumbers returns the distinct numbers of a column as stored, in the order of their clear text.
func (s *Store) rankedNumbers(ctx context.Context, scope models.Scope, column string) ([]string, error) {
	type number struct{ stored, plain string }
	var numbers []number
	err := s.eachNumber(ctx, scope, []string{column}, func(stored, plain string) error {
		numbers = append(numbers, number{stored, plain})
		return checkNumbers(len(numbers), "order_by")
	})
	slices.SortFunc(numbers, func(a, b number) int { return cmp.Compare(a.plain, b.plain) })
	ranked := make([]string, len(numbers))
	for i, n := range numbers {
		ranked[i] = n.stored
	}
	return ranked, err
}

// checkNumbers returns *models.InvalidError for the parameter of the query if n exceeds maxSorted.
func checkNumbers(n int, parameter string) error {
	if n <= maxSorted {
		return nil
	}
	return &models.InvalidError{Faults: []models.Fault{{
		Code: models.FieldOutOfRange, In: models.InQuery, Path: parameter,
		Message: fmt.Sprintf("There are more than %d different tax numbers. "+
			"They are encrypted, and no more are sought or sorted at once.", maxSorted),
	}}}
}
