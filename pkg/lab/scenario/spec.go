package scenario

import "time"

// spec is a document as written. Keys are the YAML names.
type spec struct {
	Title    string                  `yaml:"title"`
	About    string                  `yaml:"about"`
	Notes    []string                `yaml:"notes"`
	Client   clientSpec              `yaml:"client"`
	Services map[string]*serviceSpec `yaml:"services"`
	Paths    map[string]*pathSpec    `yaml:"paths"`
	Routes   map[string]*routeSpec   `yaml:"routes"`
	Variants map[string]*variantSpec `yaml:"variants"`
	Run      runSpec                 `yaml:"run"`

	// The order in which the keys of the maps were written.
	services, routes, variants []string
}

// clientSpec is where the client stands: a city, or a mapping of these.
type clientSpec struct {
	City string `yaml:"city"`
	// Access is added to every round trip of the client's: its last mile.
	Access time.Duration `yaml:"access"`
	// Resolver is the round trip to its recursive resolver.
	Resolver time.Duration `yaml:"resolver"`
}

// serviceSpec is one server. At most one of the last blocks makes it a special one.
type serviceSpec struct {
	City     string        `yaml:"city"`
	Accepts  string        `yaml:"accepts"`
	Provider string        `yaml:"provider"`
	Takes    latencySpec   `yaml:"takes"`
	Calls    []stepSpec    `yaml:"calls"`
	State    bool          `yaml:"state"`
	Content  int           `yaml:"content"` // bytes of what it answers with
	Idle     time.Duration `yaml:"idle"`
	Warm     *int          `yaml:"warm"` // connections opened to each callee beforehand
	Tide     *tideSpec     `yaml:"tide"`
	Hints    bool          `yaml:"early_hints"`
	Front    *frontSpec    `yaml:"front"`

	Breaker *breakerSpec `yaml:"breaker"`
	Switch  *switchSpec  `yaml:"switch"`
	Spread  []string     `yaml:"spread"` // forwards to these in turn
	CDN     *cdnSpec     `yaml:"cdn"`
	Origin  *originSpec  `yaml:"origin"`
	Gateway *gatewaySpec `yaml:"gateway"`

	first bool // it is the one a client asks
}

// frontSpec is how a front door speaks TLS, QUIC and DNS.
type frontSpec struct {
	Chain     int           `yaml:"chain"` // bytes of certificates
	Retry     bool          `yaml:"retry"` // QUIC validates every address
	H3        *bool         `yaml:"h3"`    // true unless written
	SlowAAAA  time.Duration `yaml:"slow_aaaa"`
	LostAAAA  bool          `yaml:"lost_aaaa"` // the question is never answered
	IPv4Only  bool          `yaml:"ipv4_only"`
	TTL       time.Duration `yaml:"ttl"`
	ServFails bool          `yaml:"servfail"`
}

type tideSpec struct {
	Day   time.Duration `yaml:"day"`
	Swing time.Duration `yaml:"swing"`
}

// breakerSpec guards the service's forward.
type breakerSpec struct {
	State    string        `yaml:"state"`
	To       string        `yaml:"to"`
	Fallback string        `yaml:"fallback"`
	Deadline time.Duration `yaml:"deadline"`
}

// switchSpec makes a service the state object of a breaker.
type switchSpec struct {
	Generation string        `yaml:"generation"`
	Writes     latencySpec   `yaml:"writes"`
	Failures   int           `yaml:"failures"`
	Rest       time.Duration `yaml:"rest"`
}

type cdnSpec struct {
	Origin    string        `yaml:"origin"`
	Key       string        `yaml:"key"`
	Brotli    bool          `yaml:"brotli"`
	Cache     bool          `yaml:"cache"`
	Idle      time.Duration `yaml:"idle"`
	StripHost bool          `yaml:"strip_host"`
}

type originSpec struct {
	Hops      int            `yaml:"hops"`
	Key       string         `yaml:"key"`
	EdgeOnly  bool           `yaml:"edge_only"`
	Limit     int            `yaml:"limit"`
	Window    time.Duration  `yaml:"window"`
	Cacheable bool           `yaml:"cacheable"`
	Tenants   map[string]int `yaml:"tenants"` // bytes of each one's page
}

type gatewaySpec struct {
	Weights    []int             `yaml:"weights"` // one machine each
	Lanes      int               `yaml:"lanes"`
	FirstText  float64           `yaml:"first_text"`
	Alive      time.Duration     `yaml:"alive"`
	RetryAfter time.Duration     `yaml:"retry_after"`
	Code       string            `yaml:"code"`
	Keys       map[string]string `yaml:"keys"`
	Balance    int               `yaml:"balance"`
	Cost       int               `yaml:"cost"`
	Autostart  *autostartSpec    `yaml:"autostart"`
	Stall      stallSpec         `yaml:"stall"`
}

type autostartSpec struct {
	Max  int           `yaml:"max"`
	Full float64       `yaml:"full"`
	Boot time.Duration `yaml:"boot"`
	Idle time.Duration `yaml:"idle"`
}

type stallSpec struct {
	After int           `yaml:"after"`
	For   time.Duration `yaml:"for"`
	Cut   bool          `yaml:"cut"`
}

// pathSpec is a stated way between two services or cities: a round trip, or a
// mapping of these.
type pathSpec struct {
	RTT     time.Duration `yaml:"rtt"`
	Jitter  time.Duration `yaml:"jitter"`
	Loss    float64       `yaml:"loss"`
	SYNLoss float64       `yaml:"syn_loss"`
	Rate    int64         `yaml:"rate"` // bits a second
	MTU     int           `yaml:"mtu"`
	Mute    bool          `yaml:"mute"`
	Drop    []string      `yaml:"drop"` // ipv6, quic, syn
}

// routeSpec is one way of asking, and the world it asks in: the document's own,
// with the settings of Set.
type routeSpec struct {
	About      string            `yaml:"about"`
	Role       string            `yaml:"role"` // before, after, control
	Set        []string          `yaml:"set"`
	Of         string            `yaml:"of"` // in the world of another route
	To         string            `yaml:"to"` // the service asked; the first unless written
	Host       string            `yaml:"host"`
	Via        bool              `yaml:"via"` // names the service where Host leads elsewhere
	Path       string            `yaml:"path"`
	Method     string            `yaml:"method"`
	Header     map[string]string `yaml:"header"`
	Body       string            `yaml:"body"`
	HTTP       string            `yaml:"http"`
	Compressed bool              `yaml:"compressed"`
}

// variantSpec is the document with other settings.
type variantSpec struct {
	About string   `yaml:"about"`
	Set   []string `yaml:"set"`
}

// runSpec is what a measurement of the scenario should know.
type runSpec struct {
	Health   string   `yaml:"health"`   // path answered by the first route's host
	Instance string   `yaml:"instance"` // header:NAME
	After    int      `yaml:"after"`
	Places   []string `yaml:"places"` // ROLE=header:NAME
}
