package main

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Every module of the program has a known licence, and its text is published with the program and in it.
func TestPartsAreListedWithTheirLicences(t *testing.T) {
	t.Chdir("../../../..")
	programs, err := listed(targets)
	require.NoError(t, err)
	parts, err := partsOf(programs)
	require.NoError(t, err)
	licences := map[string]string{}
	for _, p := range parts {
		if withoutTerms[p.path] == "" {
			require.NotEmpty(t, p.texts, p.path)
		}
		licences[p.path] = p.licence
	}
	require.Equal(t, "MIT", licences["github.com/gin-gonic/gin"])
	require.Equal(t, "Apache-2.0", licences["google.golang.org/grpc"])
	require.Equal(t, "BSD-3-Clause", licences["google.golang.org/protobuf"])

	at := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
	first, err := sbomOf("v1.2.3", at, "go1.26.8", parts)
	require.NoError(t, err)
	second, err := sbomOf("v1.2.3", at, "go1.26.8", parts)
	require.NoError(t, err)
	require.Equal(t, first, second, "the same parts give the same list")
	var list bom
	require.NoError(t, json.Unmarshal(first, &list))
	require.Len(t, list.Components, len(parts)+1)
	require.Regexp(t, `^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, list.Serial)

	notices, err := noticesOf(".", parts)
	require.NoError(t, err)
	for _, p := range parts {
		require.Contains(t, string(notices), p.path+" "+p.version)
	}
	file, err := os.Open("cmd/levy/notices.txt.gz")
	require.NoError(t, err)
	defer file.Close()
	packed, err := gzip.NewReader(file)
	require.NoError(t, err)
	embedded, err := io.ReadAll(packed)
	require.NoError(t, err)
	require.Equal(t, string(notices), string(embedded), "go generate ./cmd/levy writes them anew")
}

func TestALicenceThatNobodyKnowsIsNone(t *testing.T) {
	t.Parallel()
	require.Empty(t, licenceOf([]byte("All rights reserved. GNU GENERAL PUBLIC LICENSE Version 3")))
	require.Equal(t, "Apache-2.0", licenceOf([]byte("Apache License\n  Version 2.0, January 2004")))
}
