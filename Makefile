SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

GO ?= go
TOOL := $(GO) tool -modfile=tools/go.mod

# Everything is built with the Go that go.mod names as toolchain, which Go obtains like a module. Where it
# cannot, with the Go that is here: go-version says so.
TOOLCHAIN := $(shell awk '$$1 == "toolchain" { print $$2 }' go.mod)
export GOTOOLCHAIN := $(shell GOTOOLCHAIN=$(TOOLCHAIN) $(GO) version >/dev/null 2>&1 && echo $(TOOLCHAIN) || echo local)

# The name of a version by the file VERSIONS, such as v0.3.0-12-g883ed4e5 twelve commits later.
VERSION := $(shell tools/version.sh)

# The state folder of `make run`; programs built for the tests are there too.
LEVY_HOME ?= .levy
override LEVY_HOME := $(abspath $(LEVY_HOME))
export LEVY_HOME

.PHONY: help
help: ## List the targets
	@awk 'BEGIN { FS = ":.*## " } /^##@/ { printf "\n%s\n", substr($$0, 5) } /^[a-z][a-z\/-]*:.*## / { printf "  %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

##@ Run
.PHONY: run
run: build ## Run everything on this machine until Ctrl-C (the API answers first, Temporal may be built)
	@exec ./bin/levy dev

.PHONY: build
build: go-version ## Build bin/levy
	@CGO_ENABLED=0 $(GO) build -ldflags "-X main.version=$(VERSION)" -o bin/levy ./cmd/levy

.PHONY: prepare
prepare: build ## Obtain PostgreSQL and Temporal now, so that run and test start at once
	@./bin/levy prepare

.PHONY: migrate
migrate: build ## Migrate the database and Temporal named by the environment
	@./bin/levy migrate

.PHONY: clean
clean: ## Remove what was built; data in the state folder stays
	rm -rf bin dist

##@ Test
# Compilers, servers and the processes under test have room: with this much garbage between two
# collections the whole needs an eighth less CPU time.
test faults twice: export GOGC = 400
# Levy is built without C. Tests that are, too, share with it what was compiled.
test faults twice: export CGO_ENABLED = 0

# `make check` has vetted all. Without its tables for debuggers and its symbols a test binary is linked in half the time.
# As many packages run at a time as there are processors: what waits for an overloaded server costs more than it gains.
TESTFLAGS = -vet=off -ldflags=-s -timeout 60m -parallel 4
# They begin first, the longest before all, so that none of them runs alone at the end.
LONGEST = ./test/console ./test/onboarding ./test/imports ./cmd/levy ./test/contract ./test/nexus ./test/filings ./api ./test/registrations ./store/filings ./worker ./store/transactions ./test/webhooks ./internal/local/postgres

# LEVY_TEST_CPU=1 also tells the CPU time that each package took.
.PHONY: test
test: export LEVY_TEST_WITHOUT_KILLS = 1
test: prepare ## Run all tests but those of faults and attacks; list what this machine skipped
	$(GO) run ./test/servers $(GO) test $(TESTFLAGS) $(LONGEST) $$($(GO) list ./... levy/client | grep -vE '^levy/test/(attack|faults)$$')

# Tests of other packages that `make test` leaves to this: those which the list of expected skips says it runs.
KILLS = $$(awk '/ make faults runs it/ { print $$2 }' test/servers/skips.txt | paste -sd '|' -)
KILLING = $$(awk '/ make faults runs it/ { print $$1 }' test/servers/skips.txt | sort -u)
.PHONY: faults
faults: prepare ## Run the short tests of faults and attacks: processes are killed, cut off and flooded
	$(GO) run ./test/servers $(GO) test $(TESTFLAGS) ./test/faults ./test/attack
	$(GO) run ./test/servers $(GO) test $(TESTFLAGS) -run "^($(KILLS))$$" $(KILLING)

# What computes alone, and what drives processes of the service, which the detector does not see, is left out: it would
# only be several times slower. All other packages share memory between goroutines.
RACING = $$($(GO) list ./... levy/client | grep -vE '^levy/(service/internal/pdf|cmd|internal/csvfile|models|rules|tax|test)(/|$$)')
.PHONY: race
race: export GOGC = 400
race: prepare ## Run the tests of packages that share memory with the race detector (needs a C compiler)
	@[ "$$($(GO) env CGO_ENABLED)" = 1 ] || { echo "The race detector needs a C compiler: install gcc or clang."; exit 1; }
	GORACE=atexit_sleep_ms=100 $(GO) run ./test/servers $(GO) test $(TESTFLAGS) -race ./worker ./api $(RACING)

# One target of one package at a time, as the tool wants it. What it finds it writes to
# testdata/fuzz, where it is a test from then on.
FUZZTIME ?= 10s
.PHONY: fuzz
fuzz: ## Fuzz every parser, each for FUZZTIME (10s)
	@grep -rnoE --exclude-dir='.?*' --include='*_test.go' '^func Fuzz[A-Za-z0-9]+' . | sed -E 's|/[^/]*_test.go:[0-9]+:func | |' | while read -r folder name; do \
		echo "$$folder $$name"; $(GO) test -run '^$$' -fuzz "^$$name$$" -fuzztime $(FUZZTIME) "$$folder" | grep -vE '^(fuzz: elapsed|PASS)' || exit 1; \
	done

.PHONY: mutants
mutants: prepare ## Remove one guard after the other: a test must notice each (ARGS: words of a name)
	$(GO) run ./test/mutants $(ARGS)

.PHONY: receivers
receivers: ## Run the receivers of docs/webhooks.md as printed (npm, PyPI; needs Node and Python)
	@command -v npm >/dev/null && command -v python3 >/dev/null || { echo "This check needs Node with npm, and Python with pip."; exit 1; }
	@mkdir -p $(LEVY_HOME)/receivers && cp internal/webhook/testdata/receivers/* $(LEVY_HOME)/receivers
	npm ci --prefix $(LEVY_HOME)/receivers --ignore-scripts --no-audit --no-fund
	python3 -m pip install --quiet --upgrade --target $(LEVY_HOME)/receivers/python -r $(LEVY_HOME)/receivers/requirements.txt
	LEVY_RECEIVERS=$(LEVY_HOME)/receivers $(GO) test -count 1 -v -run 'TestTheReceivers|TestAnotherImplementation' ./internal/webhook

.PHONY: returns
returns: returns-worksheets returns-vat returns-schema ## Check returns by programs of others: Python, a server of npm, libxml2

.PHONY: returns-worksheets
returns-worksheets: go-version ## Compute worksheets once more by a program in Python (needs Python)
	@command -v python3 >/dev/null || { echo "This check needs Python 3.9 or newer, which Debian has as python3."; exit 1; }
	LEVY_RETURNS_PYTHON=$$(command -v python3) $(GO) test -count 1 -v -run 'AProgramInPython' ./service/internal/filings

# The lock file names every package with its hash; no script of a package runs.
.PHONY: returns-vat
returns-vat: go-version ## File VAT returns with a server made of the description of the API (npm; needs Node)
	@command -v node >/dev/null && command -v npm >/dev/null || { echo "This check needs Node 20.19 or newer with npm: see https://nodejs.org"; exit 1; }
	@mkdir -p $(LEVY_HOME)/prism && cp test/contract/prism/* $(LEVY_HOME)/prism
	npm ci --prefix $(LEVY_HOME)/prism --ignore-scripts --no-audit --no-fund
	LEVY_RETURNS_PRISM=$(LEVY_HOME)/prism/node_modules/.bin/prism $(GO) test -count 1 -v -run 'OfTheDescription|KeepsTheDescription' ./authority/hmrc

# The terms of the schema set do not let Levy pass it on.
LEVY_SER_SCHEMAS ?= $(LEVY_HOME)/ser-schemas
.PHONY: returns-schema
returns-schema: go-version ## Check simplified returns by their schema (needs xmllint, and the schemas that it names)
	@command -v xmllint >/dev/null || { echo "This check needs xmllint, which Debian has as libxml2-utils."; exit 1; }
	@[ -f $(LEVY_SER_SCHEMAS)/SSTSimplifiedReturnTransmission.xsd ] || \
		{ echo "Put the schema set SST2015V01 of the Streamlined Sales Tax Governing Board into $(LEVY_SER_SCHEMAS), or name its folder by LEVY_SER_SCHEMAS."; exit 1; }
	LEVY_SER_SCHEMAS=$(abspath $(LEVY_SER_SCHEMAS)) $(GO) test -count 1 -v -run 'KeepTheSchema' ./returns/ser

# The lock files name every package with its hash; no script of a package runs.
.PHONY: contract
contract: prepare ## Check requests, answers and the document by tools of others (npm; needs Node)
	@command -v npm >/dev/null || { echo "This check needs Node 20.19 or newer with npm: see https://nodejs.org"; exit 1; }
	@for tool in linters generators prism typed; do \
		mkdir -p $(LEVY_HOME)/$$tool && cp test/contract/$$tool/* $(LEVY_HOME)/$$tool; \
		npm ci --prefix $(LEVY_HOME)/$$tool --ignore-scripts --no-audit --no-fund; \
	done
	cp contract/openapi.gen.json $(LEVY_HOME)/linters/openapi.json
	cp contract/openapi.gen.json $(LEVY_HOME)/generators/openapi.json
	cd $(LEVY_HOME)/linters && REDOCLY_TELEMETRY=off node_modules/.bin/redocly lint openapi.json --config redocly.yaml --format summary
	cd $(LEVY_HOME)/linters && node_modules/.bin/spectral lint openapi.json --ruleset spectral.yaml --fail-severity error --display-only-failures
	cd $(LEVY_HOME)/generators && node_modules/.bin/openapi-typescript openapi.json -o clients/types.ts && \
		node_modules/.bin/orval --config orval.config.cjs && node_modules/.bin/tsc -p tsconfig.json
	LEVY_CONTRACT_PROXY=$(LEVY_HOME)/prism/node_modules/.bin/prism LEVY_CONTRACT_CLIENT=$(LEVY_HOME)/typed \
		$(GO) test -count 1 -timeout 20m -v -run 'TestAnIndependentValidatorAcceptsEveryAnswer|TestATypedClientReadsEveryAnswer' ./test/contract

# The TypeScript client is built in a copy, as its package is. Its lock file names every package with its hash; no script of
# a package runs.
CLIENTS = $(LEVY_HOME)/clients
.PHONY: clients
clients: prepare ## Build, type-check and test the clients against a running Levy (npm; needs Node, Python, mypy)
	@command -v npm >/dev/null || { echo "The clients need Node 20.3 or newer with npm: see https://nodejs.org"; exit 1; }
	@python3 -m venv --help >/dev/null && python3 -m pip --version >/dev/null || \
		{ echo "The clients need Python 3.11 or newer with pip and venv, which Debian has as python3-pip and python3-venv."; exit 1; }
	@command -v mypy >/dev/null || { echo "The clients need mypy, which Debian has as mypy."; exit 1; }
	cd clients/go && $(GO) vet ./... && $(GO) test -count 1 ./...
	@mkdir -p $(CLIENTS) && rm -rf $(CLIENTS)/* && cp -r clients/typescript clients/python $(CLIENTS)
	$(GO) run ./clients/internal/generate -into $(CLIENTS)
	@diff -rq -x __pycache__ -x .mypy_cache clients/python $(CLIENTS)/python && \
		diff -q clients/typescript/src/operations.gen.ts $(CLIENTS)/typescript/src/operations.gen.ts || { echo "The clients are not up to date: run make generate."; exit 1; }
	npm ci --prefix $(CLIENTS)/typescript --ignore-scripts --no-audit --no-fund
	cd $(CLIENTS)/typescript && npm run generate && npm run build && npm test && npm pack --ignore-scripts --pack-destination $(CLIENTS)
	cd $(CLIENTS)/python && mypy && python3 -m unittest
	@$(MAKE) clients-installed
	LEVY_CLIENTS=$(CLIENTS) $(GO) run ./test/servers $(GO) test -count 1 -v -run '^TestTheClientsCallARunningLevy$$' ./test/clients

# The packages as their users get them: installed into empty folders, with the examples alone. No network is needed for that.
INSTALLED = $(CLIENTS)/installed
.PHONY: clients-installed
clients-installed:
	@mkdir -p $(INSTALLED)/python $(INSTALLED)/typescript
	python3 -m pip wheel --quiet --no-index --no-deps --wheel-dir $(CLIENTS) $(CLIENTS)/python
	python3 -m venv $(INSTALLED)/venv && $(INSTALLED)/venv/bin/pip install --quiet --no-index $(CLIENTS)/levy_client-*.whl
	@cp clients/python/examples/*.py $(INSTALLED)/python
	cd $(INSTALLED)/typescript && echo '{"private": true, "type": "module"}' > package.json && cp $(CURDIR)/clients/typescript/examples/*.ts . && \
		npm install --offline --no-save --ignore-scripts --no-audit --no-fund $(CLIENTS)/levy-client-*.tgz && \
		$(CLIENTS)/typescript/node_modules/.bin/tsc --strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --target ES2022 \
		--module NodeNext --types node --typeRoots $(CLIENTS)/typescript/node_modules/@types *.ts

##@ Test at length
# Tests whose workers are those of a real Temporal server.
WORKING = $$($(GO) list -f '{{.ImportPath}} {{.TestImports}} {{.XTestImports}}' ./... | \
	awk '/levy\/(test\/testbed|internal\/local\/temporal)[] ]/ && !/^levy\/(internal\/local|test\/(attack|faults))/ { print $$1 }')
.PHONY: twice
twice: export LEVY_TEST_WITHOUT_KILLS = 1
twice: export LEVY_ACTIVITIES_TWICE = $(LEVY_HOME)/twice.txt
twice: prepare ## Run the tests with a Temporal server, each activity twice; list results that differ
	@rm -f $(LEVY_ACTIVITIES_TWICE)
	$(GO) run ./test/servers $(GO) test -tags chaos -count 1 $(TESTFLAGS) $(WORKING)
	@echo "Results that differ, some of which may: $(LEVY_ACTIVITIES_TWICE)"

# The packages with random tests: `make test` runs them with a fixed seed.
DRAWING = $$(grep -rl --exclude-dir='.?*' --include='*_test.go' '"levy/test/seed"' . | xargs -n 1 dirname | sort -u | grep -vE '^\./test/(faults|seed)$$')

# LEVY_TEST_SEED and LEVY_FAULTS_SEED repeat a run; LEVY_FAULTS_POSTS and LEVY_FAULTS_COUNT make it longer.
.PHONY: chaos
chaos: prepare ## Run random tests by another seed, then faults under load with Temporal as in production
	LEVY_TEST_SEED=$${LEVY_TEST_SEED-random} $(GO) run ./test/servers $(GO) test -count 1 -timeout 1h $(DRAWING)
	LEVY_TEST_SEED=$${LEVY_TEST_SEED-random} LEVY_FAULTS_WIDE=1 LEVY_TEST_OWN_TEMPORAL=$${LEVY_TEST_OWN_TEMPORAL-postgres} $(GO) test -count 1 -timeout 12h -v ./test/faults

# LEVY_FAULTS_SEED, LEVY_FAULTS_POSTS, LEVY_FAULTS_COUNT and LEVY_FAULTS_LENGTH change the run; it prints the sum of
# all runs. LEVY_TEST_OWN_TEMPORAL=dev takes the development server.
.PHONY: chaos-slice
chaos-slice: prepare ## Run 700 dense faults under load, and add the run to chaos.jsonl in the state folder
	LEVY_TEST_SEED=$${LEVY_TEST_SEED-random} LEVY_FAULTS_WIDE=1 LEVY_FAULTS_DENSE=1 LEVY_TEST_OWN_TEMPORAL=$${LEVY_TEST_OWN_TEMPORAL-postgres} \
		LEVY_FAULTS_COUNT=$${LEVY_FAULTS_COUNT-700} LEVY_FAULTS_POSTS=$${LEVY_FAULTS_POSTS-7500} \
		$(GO) test -count 1 -timeout 12h -v -run '^TestFaultsUnderLoadLoseAndDoubleNothing$$' ./test/faults

# LEVY_ATTACK_LENGTH is the duration of each attack, 3s.
.PHONY: attack
attack: prepare ## Attack the service while another organization works, then contract
	LEVY_ATTACK_LENGTH=$${LEVY_ATTACK_LENGTH-3s} $(GO) test -count 1 -timeout 12h -v ./test/attack
	@$(MAKE) contract

.PHONY: upgrade
upgrade: prepare ## Upgrade under load from FROM (0.3.0, a tag or a commit): no request may fail
	@tools/version.sh "$(FROM)" >/dev/null || { echo "Say which version to upgrade from: make upgrade FROM=<version of VERSIONS, tag or commit>"; exit 1; }
	@rm -rf $(LEVY_HOME)/upgrade && mkdir -p $(LEVY_HOME)/upgrade/source
	git archive "$$(tools/version.sh "$(FROM)")" | tar -x -C $(LEVY_HOME)/upgrade/source
	cd $(LEVY_HOME)/upgrade/source && CGO_ENABLED=0 $(GO) build -o ../levy ./cmd/levy
	LEVY_TEST_EARLIER=$(LEVY_HOME)/upgrade/levy $(GO) test -count 1 -timeout 10m -v -run TestRollingRestartUnderLoad ./test/faults

##@ Measure
.PHONY: bench
bench: prepare ## Run Go benchmarks, then a load next to pgbench and a naive design (ARGS: of the load)
	$(GO) test -run '^$$' -bench . -benchmem -benchtime 0.5s ./tax/... ./returns/... ./api ./service/... ./worker
	$(GO) test -run '^$$' -bench ClosedTables -benchtime 3s ./store
	$(GO) test -run '^$$' -bench EventsOf -benchtime 1x ./store/events
	$(GO) run ./test/bench $(ARGS)

##@ Check
.PHONY: committed
committed:
	@git diff --quiet HEAD || { echo "This is about a commit: commit your changes first."; exit 1; }

.PHONY: go-version
go-version:
	@command -v $(GO) >/dev/null || { echo "Levy needs Go: see https://go.dev/doc/install"; exit 1; }
	@$(GO) list -m >/dev/null 2>&1 || { echo "Levy needs Go $$(awk '$$1 == "go" { print $$2 }' go.mod) or newer, and this is $$(cd / && $(GO) env GOVERSION): see https://go.dev/doc/install"; exit 1; }

GOFILES = $$(git ls-files --cached --others --exclude-standard '*.go')

.PHONY: check
check: go-version fmt-check lint workflowcheck tidy-check generate-check ## Everything but the tests: format, lint, determinism, generated files, modules

.PHONY: fmt
fmt: ## Format the code
	@gofmt -w $(GOFILES)

.PHONY: lint
lint: ## Run the linters (the first run builds them, about two minutes)
	$(TOOL) golangci-lint run ./...
	cd clients/go && $(GO) tool -modfile=$(CURDIR)/tools/go.mod golangci-lint run ./...

.PHONY: fmt-check
fmt-check: ## Fail on code that is not formatted
	@unformatted=$$(gofmt -l $(GOFILES)); [ -z "$$unformatted" ] || { echo "not formatted (make fmt):"; echo "$$unformatted"; exit 1; }

.PHONY: workflowcheck
workflowcheck: ## Fail on workflow code that is not deterministic
	$(TOOL) workflowcheck ./workflows/...

.PHONY: tidy-check
tidy-check: ## Fail when go.mod or go.sum are not up to date
	$(GO) mod tidy -diff
	cd clients/go && $(GO) mod tidy -diff
	cd tools && $(GO) mod tidy -diff
	cd tools/packages && $(GO) mod tidy -diff
	cd tools/audit && $(GO) mod tidy -diff
	cd tools/temporal-ui && $(GO) mod tidy -diff

# Compares the tree before and after, so that it also works on uncommitted changes.
TREE = git ls-files --cached --others --exclude-standard -z | xargs -0 sha256sum 2>/dev/null

.PHONY: generate-check
generate-check: ## Fail when generated files are not up to date
	@before=$$(mktemp); trap 'rm -f "$$before"' EXIT; $(TREE) > "$$before" || true; \
	$(MAKE) generate; \
	changed=$$({ $(TREE) || true; } | diff "$$before" - | awk '/^[<>]/ { print $$3 }' | sort -u); \
	[ -z "$$changed" ] || { echo "generated files were not up to date:"; echo "$$changed"; exit 1; }

# The tools of the audit have a module of their own, so that the modules they need do not enter go.mod.
AUDIT = $(GO) tool -modfile=tools/audit/go.mod
.PHONY: audit
audit: vulnerabilities risks ## Look for known vulnerabilities, secrets in the history, and risky code

# The database grows by the day: a commit that passed may fail tomorrow.
.PHONY: vulnerabilities
vulnerabilities: go-version ## Look for known vulnerabilities (LEVY_VULNDB: an offline copy of the database)
	@LEVY_VULNDB="$(LEVY_VULNDB)" GOVULNCHECK="$(AUDIT) govulncheck" ./tools/audit/vulnerabilities.sh

.PHONY: risks
risks: go-version ## Look for secrets in the history, and for risky code
	@if git rev-parse --git-dir >/dev/null 2>&1; then \
		$(AUDIT) github.com/zricethezav/gitleaks/v8 git --no-banner --redact --config tools/audit/gitleaks.toml .; \
	else echo "Secrets: NOT looked for: there is no history here."; fi
	$(TOOL) golangci-lint run --config tools/audit/gosec.yml ./...

# Every page in each of its looks, and every task by keyboard and without scripts. They need a Chromium and no servers.
# Of all but the first, `make test` does a part.
PAGES = TestEveryPage|TestTasksTakeFewClicks|TestTasksByKeyboard|TestTasksNeedNoScripts|TestADecisionWaitsUntilAChangeWasShown
.PHONY: pages
pages: export LEVY_TEST_EVERY_PAGE = 1
pages: export CGO_ENABLED = 0
pages: go-version ## Check every page of the console: accessible, by keyboard, in light, in dark and on a phone
	$(GO) test -vet=off -ldflags=-s -count 1 -timeout 20m -run '^($(PAGES))$$' ./test/console

# Prometheus, Helm, the types of Kubernetes and the loader of compose have a module of their own, too.
.PHONY: operations
operations: go-version packages-check ## Fire alarms, render the chart, check compose and packages (the first run takes minutes)
	cd tools/operations && $(GO) mod tidy -diff && $(GO) test -count 1 ./...

# What packages and images are made with has a module of its own. The program in them is compiled as by make build.
.PHONY: packages-check
packages-check: go-version ## Make packages, image and provenance for this machine, unpack them and start their program
	cd tools/packages && $(GO) mod tidy -diff && $(GO) test -count 1 -timeout 30m ./...

##@ Generate and record
.PHONY: generate
generate: ## Generate code of the API, and the tables of docs
	$(TOOL) oapi-codegen -config tools/oapi/contract.yaml api/openapi.yaml
	$(TOOL) oapi-codegen -config tools/oapi/routes.yaml api/openapi.yaml
	$(TOOL) oapi-codegen -config tools/oapi/sessions.yaml api/openapi.yaml
	$(TOOL) oapi-codegen -config tools/oapi/fake.yaml api/openapi.yaml
	$(TOOL) oapi-codegen -config tools/oapi/client.yaml api/openapi.yaml
	$(GO) generate ./...
	$(GO) test -count 1 -run '^TestTheDocumentFollowsFromTheContract$$' ./contract -args -update
	$(GO) run ./clients/internal/generate
	$(GO) test -count 1 -run '^TestThePathOfTheGoClientStandsInOnePlace$$' ./test/clients -args -update
	$(GO) test -count 1 -run '^TestTheRolesOfTheDocsAreThoseOfTheServer$$' ./service -args -update
	$(GO) test -count 1 -run '^TestTheCoverage' ./tax/content -args -update
	$(GO) test -count 1 -run '^TestTheReferenceFollowsFromTheProgram$$' ./cmd/levy -args -update
	$(GO) test -count 1 -run '^TestTheAppendixFollowsFromTheTests$$' ./test/mutants -args -update

# Sums of histories that are there stay as they are: TestHistoriesStayAsTheyWereRecorded.
.PHONY: record-histories
record-histories: prepare ## Record runs of workflows that the last release lacks (RUN=FileReturn: of one)
	$(GO) test -tags record -count 1 -timeout 20m -run 'TestRecord$(RUN)' ./workflows
	@cd workflows && find testdata/replay -name '*.json' | LC_ALL=C sort | while read -r history; do \
		grep -q "  $$history$$" testdata/replay.sha256 || sha256sum "$$history" >> testdata/replay.sha256; \
	done && LC_ALL=C sort -k 2 -o testdata/replay.sha256 testdata/replay.sha256

# For another version change package.json and run this. The lock file names every package
# with its hash, which npm checks; no script of a package runs. What comes out is committed:
# building needs neither Node nor the network.
NPM_QUIETLY = --prefix $(LEVY_HOME)/docs --ignore-scripts --no-audit --no-fund --loglevel error
.PHONY: vendor-docs
vendor-docs: ## Embed the renderer of /docs in the version that tools/docs/package.json names
	@command -v npm >/dev/null || { echo "This needs Node with npm: see https://nodejs.org"; exit 1; }
	@rm -rf $(LEVY_HOME)/docs && mkdir -p $(LEVY_HOME)/docs && cp tools/docs/*.json $(LEVY_HOME)/docs
	npm install --package-lock-only $(NPM_QUIETLY)
	npm ci $(NPM_QUIETLY)
	$(GO) run ./api/docs/internal/vendor $(LEVY_HOME)/docs api/docs/renderer
	@cp $(LEVY_HOME)/docs/package-lock.json tools/docs

.PHONY: vendor-map
vendor-map: ## Make the map of the states from the version that tools/map/package.json names
	@command -v npm >/dev/null || { echo "This needs Node with npm: see https://nodejs.org"; exit 1; }
	@rm -rf $(LEVY_HOME)/map && mkdir -p $(LEVY_HOME)/map && cp tools/map/*.json $(LEVY_HOME)/map
	npm install --package-lock-only $(subst /docs,/map,$(NPM_QUIETLY))
	npm ci $(subst /docs,/map,$(NPM_QUIETLY))
	$(GO) run ./web/internal/statemap $(LEVY_HOME)/map web/data
	@cp $(LEVY_HOME)/map/package-lock.json tools/map

##@ Look at pages
# docs/onboarding.png is one of them.
.PHONY: pictures
pictures: prepare ## Take pictures of the pages into pictures in the state folder (needs chromium)
	@command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || { echo "Pictures need chromium."; exit 1; }
	@mkdir -p $(LEVY_HOME)/pictures
	LEVY_TEST_PICTURES=$(LEVY_HOME)/pictures $(GO) run ./test/servers $(GO) test -count 1 ./test/console

.PHONY: screenshots
screenshots: prepare ## Take the pictures of the console that README and docs show (needs chromium)
	@command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || { echo "Screenshots need chromium."; exit 1; }
	LEVY_TEST_SCREENSHOTS=$(CURDIR)/docs $(GO) run ./test/servers $(GO) test -count 1 -run '^TestScreenshots$$' ./test/console

# The settings of the UI are those of its image, which are beside its source.
# The first run builds the UI.
.PHONY: temporal-ui
temporal-ui: prepare ## Use the Temporal UI as docker-compose.yml has it, as staff does (needs chromium)
	@command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || { echo "This needs chromium."; exit 1; }
	@cd tools/temporal-ui && CGO_ENABLED=0 $(GO) build -o $(LEVY_HOME)/temporal-ui github.com/temporalio/ui-server/v2/cmd/server
	LEVY_TEST_TEMPORAL_UI=$(LEVY_HOME)/temporal-ui \
	LEVY_TEST_TEMPORAL_UI_FOLDER=$$(cd tools/temporal-ui && $(GO) list -m -f '{{.Dir}}' github.com/temporalio/ui-server/v2) \
	$(GO) run ./test/servers $(GO) test -count 1 -run '^TestTheUIOfComposeIsReadAndWritten$$' ./test/console

##@ Release
# The version and the time are those of the commit, so that the same commit gives the same files.
COMMIT_TIME = $(shell git log -1 --format=%ct)
RELEASE = $(GO) run ./cmd/levy/internal/release -version $(VERSION) -time $(COMMIT_TIME) -systems "$(SYSTEMS)"
# LEVY_CONTENT_SIGNING_KEY_FILE names the key that signs the release; LEVY_PUBLISHER stands in packages and image.
# Its path counts from here, while the packages are made in a folder of their own.
ifneq ($(filter-out /%,$(firstword $(LEVY_CONTENT_SIGNING_KEY_FILE))),)
override export LEVY_CONTENT_SIGNING_KEY_FILE := $(CURDIR)/$(LEVY_CONTENT_SIGNING_KEY_FILE)
endif
LEVY_PUBLISHER ?= Levy <levy@example.invalid>
PACKAGES = cd tools/packages && $(GO) run . -version $(VERSION) -commit $(shell git rev-parse HEAD) -time $(COMMIT_TIME) -maintainer "$(LEVY_PUBLISHER)"
# They are programs, list of parts, licences, image context, packages, image, checksums, and the signed provenance.
.PHONY: release
release: go-version ## Make the files of a release in dist
	@$(RELEASE) -out dist
	@$(PACKAGES) -dist $(CURDIR)/dist

# Completions and manual are printed by the program for this machine, so one that runs another system gets its own, too.
ALSO_HERE = $(shell $(GO) env GOHOSTOS GOHOSTARCH | paste -sd / - | sed '/^linux/d; s/^/,/')
.PHONY: packages
packages: ## Make the files of a release for Linux in dist: deb, rpm and image of both architectures
	@$(MAKE) release SYSTEMS=linux/amd64,linux/arm64$(ALSO_HERE)

# The second time nothing is as it was: neither folder nor cache, rights of new files, time zone or language. It
# compiles each system from nothing, three minutes of CPU time for one.
# SYSTEMS=linux/amd64 compares that system only.
.PHONY: release-check
release-check: committed release ## Make the files of a release a second time, elsewhere, and compare every byte
	@other=$$(mktemp -d); trap 'rm -rf "$$other"' EXIT; mkdir "$$other/source"; git archive HEAD | tar -x -C "$$other/source"; \
	(cd "$$other/source"; umask 077; export TZ=Asia/Kolkata LC_ALL=C GOCACHE="$$other/cache"; \
		$(RELEASE) -out "$$other/dist"; $(PACKAGES) -dist "$$other/dist"); \
	diff -r dist "$$other/dist" && echo "The same bytes twice:" && cat dist/SHA256SUMS
