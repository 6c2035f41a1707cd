package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// feedsAreRead checks that an admin creates a feed, that anyone reads it at its address, and that nothing is there when it
// is revoked.
func feedsAreRead(t *testing.T, admin, viewer, stranger *visitor, organization string) {
	t.Helper()
	const feeds, office = "/v1/calendar_feeds", `{"name":"Office"}`
	require.Equal(t, http.StatusForbidden, viewer.send("POST", feeds, organization, office).Code)
	answer := admin.send("POST", feeds, organization, office)
	require.Equal(t, http.StatusOK, answer.Code, answer.Body)
	var feed struct{ ID, Path string }
	require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &feed))
	page := viewer.send("GET", "/o/"+organization+"/feeds", "", "").Body.String()
	require.Contains(t, page, "Office")
	require.NotContains(t, page, "Revoke the feed", "a viewer does not")
	require.Contains(t, admin.send("GET", "/o/"+organization+"/feeds", "", "").Body.String(), "Revoke the feed")

	read := stranger.send("GET", feed.Path, "", "")
	require.Equal(t, http.StatusOK, read.Code)
	require.Equal(t, "text/calendar; charset=utf-8", read.Header().Get("Content-Type"))
	require.True(t, strings.HasPrefix(read.Body.String(), "BEGIN:VCALENDAR\r\n"))
	require.Equal(t, http.StatusNotFound, stranger.send("GET", feed.Path+"x", "", "").Code)
	require.Equal(t, http.StatusUnauthorized, stranger.send("GET", feeds, organization, "").Code)
	require.Equal(t, http.StatusNoContent, admin.send("DELETE", feeds+"/"+feed.ID, organization, "").Code)
	require.Equal(t, http.StatusNotFound, stranger.send("GET", feed.Path, "", "").Code)
}
