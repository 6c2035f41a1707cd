package api

import (
	"github.com/gin-gonic/gin"

	"levy/models"
)

// authorizeFile is authorize for operations whose body is a file: large, and without fields that could be
// wrong. Of others the contract wants to know first what is wrong with the body.
func (s *Server) authorizeFile(operation *operation, rule accessRule) gin.HandlerFunc {
	if !operation.upload && !operation.form {
		return func(*gin.Context) {}
	}
	return s.authorize(rule)
}

// authorize refuses keys outside the classes of the rule, or without its scope.
func (s *Server) authorize(rule accessRule) gin.HandlerFunc {
	return func(c *gin.Context) {
		call := callOf(c.Request.Context())
		if rule.admits(call, rawBody(c)) {
			return
		}
		if rule.object != nil {
			if err := rule.object(c.Request.Context(), s, c.Param); err != nil {
				s.fail(c, err)
				return
			}
		}
		if err := s.findReferences(c.Request.Context(), rule.names, rawBody(c)); err != nil {
			s.fail(c, err)
			return
		}
		if call.person != nil {
			writeProblem(c, forbiddenByRole(rule.reaches(call)))
			return
		}
		if rule.reaches(call) {
			s.fail(c, &models.ScopeError{Scope: call.lacks(rule)})
			return
		}
		s.fail(c, models.ErrForbidden)
	}
}
