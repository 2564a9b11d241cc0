package provider

// aws is API Gateway and load balancers: they send ids, and keep their times
// (request, target and response_processing_time, in seconds) in access logs.
func aws() family {
	return family{name: "aws", layer: LayerGateway,
		sign: hasHeader("x-amzn-requestid", "x-amz-apigw-id", "x-amzn-trace-id"),
		rules: []rule{
			{header: "x-amzn-requestid", unit: "id", meaning: "API Gateway's or the service's request id", caveat: "no time; the region stands only in the host name"},
			{header: "x-amz-apigw-id", unit: "id", meaning: "API Gateway's extended request id", caveat: "latencies are only in its access logs"},
			{header: "x-amzn-trace-id", unit: "id", meaning: "a trace id; its Root holds the start in seconds since 1970", caveat: "a wall clock, no duration"},
		}}
}
