package store_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/govalues/decimal"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"gorm.io/gorm/schema"

	"levy/models"
	"levy/store/storetest"
	"levy/tax/money"
)

// records are all structs of package models that are rows of a table.
var records = []any{
	models.APIKey{}, models.Attachment{}, models.AuditEntry{}, models.BankDetails{}, models.CalendarFeed{}, models.Customer{},
	models.Exemption{},
	models.Filing{}, models.Grant{}, models.Import{}, models.NexusJurisdiction{}, models.NexusRecord{}, models.Onboarding{},
	models.OnboardingStepRecord{},
	models.Organization{}, models.OrganizationDetails{}, models.OrganizationSettings{},
	models.PhysicalNexus{}, models.Product{},
	models.Notice{}, models.NoticeDocument{},
	models.Maker{}, models.Membership{}, models.OnboardingLink{}, models.Passkey{}, models.Preferences{}, models.RateOverride{},
	models.RecoveryCode{},
	models.Registration{},
	models.RegistrationFrequency{}, models.SavedView{}, models.SecondFactor{}, models.Transaction{},
	models.TransactionAddress{}, models.TransactionItem{},
	models.User{}, models.WebhookDelivery{}, models.WebhookEndpoint{},
}

// Each field of the struct of a record has a column of its type. The column may be NULL exactly if the field can be
// empty. Each column without a default has a field.
func TestRecordsAreAsTheSchema(t *testing.T) {
	t.Parallel()
	conn, err := pgx.Connect(t.Context(), storetest.URL(t))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	for _, record := range records {
		mapped, err := schema.Parse(record, &sync.Map{}, schema.NamingStrategy{})
		require.NoError(t, err)
		columns := columnsOf(t, conn, mapped.Table)
		require.NotEmpty(t, columns, mapped.Table)
		for _, f := range mapped.Fields {
			if f.DBName == "" || f.IgnoreMigration { // not stored, or computed where it is read
				continue
			}
			name := mapped.Name + "." + f.Name
			column, ok := columns[f.DBName]
			if !ok {
				t.Errorf("%s has no column %s.%s", name, mapped.Table, f.DBName)
				continue
			}
			if !slices.Contains(typesOf(t, f), column.kind) {
				t.Errorf("%s is not stored as %s", name, column.kind)
			}
			if nullable, decides := saysNull(f); decides {
				if nullable != column.nullable {
					t.Errorf("%s says NULL, or its column %s does, but not both", name, f.DBName)
				}
			}
			delete(columns, f.DBName)
		}
		for name, column := range columns {
			if !column.nullable && !column.filled {
				t.Errorf("no field of %s writes %s.%s", mapped.Name, mapped.Table, name)
			}
		}
	}
}

// No record may be missing in the list above.
func TestEveryRecordIsCompared(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../models/*.go")
	require.NoError(t, err)
	known := map[string]bool{}
	for _, record := range records {
		known[reflect.TypeOf(record).Name()] = true
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, declared := range regexp.MustCompile(`(?ms)^type (\w+) struct \{\n(.*?)^\}`).FindAllStringSubmatch(
			string(source), -1,
		) {
			if strings.Contains(declared[2], `gorm:"primaryKey`) {
				require.True(t, known[declared[1]], "%s is a record", declared[1])
			}
		}
	}
}

type storedColumn struct {
	kind             string
	nullable, filled bool // filled by the database when a statement says nothing
}

func columnsOf(t *testing.T, conn *pgx.Conn, table string) map[string]storedColumn {
	t.Helper()
	rows, err := conn.Query(t.Context(), `
		SELECT column_name, data_type, is_nullable = 'YES', column_default IS NOT NULL OR is_generated = 'ALWAYS'
		       OR is_identity = 'YES'
		  FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1`, table)
	require.NoError(t, err)
	columns := map[string]storedColumn{}
	var name string
	var c storedColumn
	_, err = pgx.ForEachRow(rows, []any{&name, &c.kind, &c.nullable, &c.filled}, func() error {
		columns[name] = c
		return nil
	})
	require.NoError(t, err)
	return columns
}

// typesOf are the column types that can hold a field.
func typesOf(t *testing.T, f *schema.Field) []string {
	t.Helper()
	if f.TagSettings["SERIALIZER"] == "json" {
		return []string{"jsonb", "json"}
	}
	switch f.IndirectFieldType {
	case reflect.TypeFor[time.Time]():
		if strings.EqualFold(f.TagSettings["TYPE"], "date") {
			return []string{"date"}
		}
		return []string{"timestamp with time zone"}
	case reflect.TypeFor[decimal.Decimal](), reflect.TypeFor[money.Total]():
		return []string{"numeric"}
	case reflect.TypeFor[json.RawMessage]():
		return []string{"jsonb", "json"}
	}
	switch f.IndirectFieldType.Kind() {
	case reflect.Bool:
		return []string{"boolean"}
	case reflect.Int64:
		return []string{"bigint", "integer"}
	case reflect.Int, reflect.Int16, reflect.Int32:
		return []string{"integer", "smallint", "bigint"}
	case reflect.String:
		return []string{"text", "numeric", "date"}
	case reflect.Slice:
		return []string{"bytea"}
	default:
		t.Fatalf("%s.%s has a type that no column holds", f.Schema.Name, f.Name)
		return nil
	}
}

// saysNull reports whether a field can be NULL; slices and documents do not decide it.
func saysNull(f *schema.Field) (nullable, decides bool) {
	switch f.FieldType.Kind() {
	case reflect.Pointer:
		return true, true
	case reflect.Slice, reflect.Map, reflect.Struct:
		return false, f.TagSettings["SERIALIZER"] != "json" && f.FieldType.Kind() == reflect.Struct
	default:
		return false, true
	}
}
