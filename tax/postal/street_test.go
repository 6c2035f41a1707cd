package postal

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSpellingsOfAStreetAgree(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]StreetAddress{
		"350 5th Ave":                     {350, "", "5", "AVE", ""},
		"350 Fifth Avenue, Suite 300":     {350, "", "5", "AVE", ""},
		"350-A fifth AV.":                 {350, "", "5", "AVE", ""},
		"12 N. Main St #4":                {12, "N", "MAIN", "ST", ""},
		"12 North Main Street Apt. 4":     {12, "N", "MAIN", "ST", ""},
		"12½ Main":                        {12, "", "MAIN", "", ""},
		"12 1/2 Main St":                  {12, "", "MAIN", "ST", ""},
		"7 21st St SW":                    {7, "", "21", "ST", "SW"},
		"7 Twenty-First Street Southwest": {7, "", "TWENTYFIRST", "ST", "SW"},
		"100 South St":                    {100, "", "SOUTH", "ST", ""},
		"100 N St":                        {100, "", "N", "ST", ""},
		"O'Brien Ct":                      {0, "", "OBRIEN", "CT", ""},
		"5th Ave":                         {0, "", "5", "AVE", ""},
		"40-22 College Point Blvd":        {40, "", "COLLEGE POINT", "BLVD", ""},
		"County Road 5":                   {0, "", "CO RD 5", "", ""},
		"1 Saint Paul St":                 {1, "", "ST PAUL", "ST", ""},
		"1 St. Paul Street":               {1, "", "ST PAUL", "ST", ""},
		"350 Main St - Apt 3":             {350, "", "MAIN", "ST", ""},
		"350 - Main St - Rear":            {350, "", "MAIN ST REAR", "", ""},
		"PO Box 12":                       {0, "", "PO BOX 12", "", ""},
		"":                                {},
		"12":                              {0, "", "12", "", ""},
	} {
		require.Equal(t, want, ParseStreet(line), line)
	}
	require.Equal(t, StreetAddress{0, "N", "5", "AVE", "SW"}, NewStreetAddress("N", "5TH", "AVE", "SW"))
	require.Equal(t, StreetAddress{0, "", "N", "ST", ""}, NewStreetAddress("", "N", "ST", ""))
}
