package api

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"
)

func TestARouteWithoutValidatorRefuses(t *testing.T) {
	t.Parallel()
	router := gin.New()
	var got error
	for _, route := range Routes(nil, func(_ *gin.Context, _ int, _ any, err error) { got = err }, nil) {
		router.Handle(route.Method, route.Path, route.Handler)
	}
	router.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/v1/products", nil))
	require.ErrorIs(t, got, errNotValidated)
}
