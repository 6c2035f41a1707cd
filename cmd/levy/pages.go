package main

import (
	"net/http"

	"levy/web"
)

// pages are the handlers of the pages for people, by the paths below which they are. The console
// calls the API, which is made after them.
//
// provider is where people sign in; empty where they have passwords.
func pages(api func() http.Handler, provider string) (map[string]http.Handler, error) {
	onboarding, err := web.Handler()
	if err != nil {
		return nil, err
	}
	console, err := web.NewConsole(api, provider)
	if err != nil {
		return nil, err
	}
	handler, err := console.Handler()
	if err != nil {
		return nil, err
	}
	all := map[string]http.Handler{web.OnboardingPath: onboarding}
	for _, path := range web.Paths() {
		all[path] = handler
	}
	return all, nil
}
