package geo

import (
	"regexp"
	"strings"
)

// Site is what a provider's code stands for. Its Place's Name is the city or,
// for a cloud region, the area the provider names.
type Site struct {
	// Code is the table's own form of the code asked for: "NRT" for
	// "NRT57-P3", "westus3" for "West US 3".
	Code string
	Place
}

// Scheme is a way of naming sites. Each provider's header follows one.
type Scheme string

// The schemes, by whose codes they are.
const (
	// IATA: airport and metropolitan codes, "NRT", "nyc".
	IATA Scheme = "iata"
	// Cloudflare: the end of cf-ray, "NRT".
	Cloudflare Scheme = "cloudflare"
	// CloudFront: x-amz-cf-pop, "NRT57-P3".
	CloudFront Scheme = "cloudfront"
	// Fastly: a node name of X-Served-By, "cache-fra-eddf8230152-FRA", or the
	// code at its end. Fastly says that its codes come from a nearby airport
	// but need not lie there, so the radius is 100 km.
	Fastly Scheme = "fastly"
	// Fly: "nrt".
	Fly Scheme = "fly"
	// Vercel: "iad1", airport and a digit; cle1 is Columbus, Ohio.
	Vercel Scheme = "vercel"
	// Railway: a POP, "ams1", or a zone, "railway/us-west2".
	Railway Scheme = "railway"
	// AWS: "us-east-1", with or without zone letter or "aws-" in front.
	AWS Scheme = "aws"
	// GCP: "us-west1", with or without zone letter or "gcp-" in front.
	GCP Scheme = "gcp"
	// Azure: "westus3" or "West US 3".
	Azure Scheme = "azure"
	// Cloud: a region of AWS, GCP or Azure, told apart by its spelling, which
	// never clashes between the three.
	Cloud Scheme = "cloud"
	// FrontDoor: an Azure Front Door POP, "BOM02", "CO1", "PAOEDGE0418".
	FrontDoor Scheme = "frontdoor"
	// KeyCDN: country and city, "chzh".
	KeyCDN Scheme = "keycdn"
	// CDN77: city, country and perhaps subdivision, "losangelesUSCA".
	CDN77 Scheme = "cdn77"
	// Bunny: the PoP code of BunnyCDN's Server field, "DE1", "ASB".
	Bunny Scheme = "bunny"
	// Groq: "fra"; dls is Dallas.
	Groq Scheme = "groq"
	// LinkedIn: data centres, "lva1", with or without "prod-".
	LinkedIn Scheme = "linkedin"
	// Wikimedia: data centres, "drmrs", or a host of one, "cp6007".
	Wikimedia Scheme = "wikimedia"
)

// naming is how one scheme's codes are read: the pattern a code must have,
// its first group being the key, and the tables to try in order.
type naming struct {
	pattern  *regexp.Regexp
	tables   []string
	upper    bool
	radiusKM float64
}

// airportTable stands for the airports in a naming's tables.
const airportTable = "airport"

// cityCode is what every scheme made from IATA codes falls back on.
func cityCode(pattern string, own ...string) naming {
	return naming{regexp.MustCompile(pattern), append(own, airportTable, "metro"), true, 0}
}

func region(pattern string, own ...string) naming {
	return naming{pattern: regexp.MustCompile(pattern), tables: own}
}

const (
	awsRegion   = `^(?:aws[-:/])?([a-z]{2}(?:-[a-z]+){1,2}-[0-9]{1,2})[a-z]?$`
	gcpRegion   = `^(?:gcp[-:/])?([a-z]+-[a-z]+[0-9]{1,2})(?:-[a-z])?$`
	azureRegion = `^(?:azure[-:/])?([a-z]+[0-9]?)$`
)

// namings holds every scheme but those read by code of their own.
var namings = map[Scheme][]naming{
	IATA:       {cityCode(`^([A-Za-z]{3})$`)},
	Cloudflare: {cityCode(`^([A-Za-z]{3})$`, "cloudflare")},
	CloudFront: {cityCode(`^([A-Z]{3})(?:[0-9]+(?:-[A-Z][0-9]+)?)?$`)},
	Fastly:     {fastlyCode()},
	Fly:        {cityCode(`^([A-Za-z]{3})$`)},
	Vercel:     {region(`^([a-z]{3}[0-9])$`, "vercel"), cityCode(`^([a-z]{3})[0-9]$`)},
	Railway:    {region(`^(?:railway/)?([a-z]+-[a-z]+[0-9]+(?:-[a-z0-9]+)?)$`, "railway"), cityCode(`^(?:railway/)?([a-z]{3})[0-9]+$`)},
	AWS:        {region(awsRegion, "aws")},
	GCP:        {region(gcpRegion, "gcp")},
	Azure:      {region(azureRegion, "azure")},
	Cloud:      {region(awsRegion, "aws"), region(gcpRegion, "gcp"), region(azureRegion, "azure")},
	FrontDoor:  {frontDoorCode()},
	KeyCDN:     {region(`^([a-z]{4})$`, "keycdn")},
	Bunny:      {{pattern: regexp.MustCompile(`^([A-Z]{2,3})[0-9]*$`), tables: []string{"bunny"}}},
	Groq:       {cityCode(`^([A-Za-z]{3})$`, "groq")},
	LinkedIn:   {region(`^(?:prod-)?(l[a-z]{2}[0-9])$`, "linkedin")},
	Wikimedia:  {region(`^([a-z]{5})$`, "wikimedia")},
}

func fastlyCode() naming {
	n := cityCode(`^(?:cache-[a-z0-9-]*-)?([A-Z]{3})$`, "fastly")
	n.radiusKM = 100
	return n
}

// frontDoorCode comes from Microsoft's list of abbreviations first: SAN is
// San Antonio there and MEX Querétaro. The digits count POPs in a place.
func frontDoorCode() naming {
	return cityCode(`^([A-Z]{2,3})[0-9]*(?:EDGE[0-9]+)?$`, "frontdoor")
}

// Lookup returns the site that code names in scheme s, and false for a code
// or a scheme it does not know. The code is given as the provider writes it;
// upper and lower case are told apart only where the provider does.
func Lookup(s Scheme, code string) (Site, bool) {
	switch s {
	case CDN77:
		return lookupCDN77(code)
	case Wikimedia:
		code = wikimediaSite(code)
	case Azure, Cloud:
		code = azureSpelling(code)
	}
	for _, n := range namings[s] {
		if site, ok := n.lookup(code); ok {
			return site, true
		}
	}
	return Site{}, false
}

func (n naming) lookup(code string) (Site, bool) {
	m := n.pattern.FindStringSubmatch(code)
	if m == nil {
		return Site{}, false
	}
	key := m[1]
	if n.upper {
		key = strings.ToUpper(key)
	}
	for _, table := range n.tables {
		if s, ok := tables().site(table, key); ok {
			s.RadiusKM = max(s.RadiusKM, n.radiusKM)
			return s, true
		}
	}
	return Site{}, false
}

func (a *atlas) site(table, code string) (Site, bool) {
	if table == airportTable {
		s, ok := a.airports[code]
		return s, ok
	}
	s, ok := a.sites[siteKey{table, code}]
	return s, ok
}

// azureSpelling turns a display name into the programmatic one: "UK South",
// "(Europe) UK South" and "uksouth" are the same region. A name with a hyphen
// is not Azure's and stays.
func azureSpelling(code string) string {
	if strings.Contains(code, "-") {
		return code
	}
	if _, after, ok := strings.Cut(code, ") "); ok {
		code = after
	}
	return strings.ToLower(strings.ReplaceAll(code, " ", ""))
}

var wikimediaHost = regexp.MustCompile(`^[a-z]+([1-7])[0-9]{3}$`)

// wikimediaSite returns the data centre of a host name such as "cp6007": the
// first digit counts data centres in the order they were opened.
func wikimediaSite(code string) string {
	centres := [...]string{"eqiad", "codfw", "esams", "ulsfo", "eqsin", "drmrs", "magru"}
	if m := wikimediaHost.FindStringSubmatch(code); m != nil {
		return centres[m[1][0]-'1']
	}
	return code
}

var cdn77Pop = regexp.MustCompile(`^([a-z]+)([A-Z]{2})([A-Z]{0,3})$`)

// lookupCDN77 reads a city's name without spaces, a country and, in the United
// States always, a subdivision. The city must exist in that country.
func lookupCDN77(code string) (Site, bool) {
	m := cdn77Pop.FindStringSubmatch(code)
	if m == nil {
		return Site{}, false
	}
	for _, t := range tables().towns {
		if t.Country == m[2] && (t.Region == "" || t.Region == m[3]) && t.spelt(m[1]) {
			return Site{code, t.Place}, true
		}
	}
	return Site{}, false
}

func (t town) spelt(joined string) bool {
	for _, s := range t.spellings {
		if strings.ReplaceAll(s, " ", "") == joined {
			return true
		}
	}
	return false
}
