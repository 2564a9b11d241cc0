# Fastly VCL. time.elapsed.msec counts from the start of the request. A stored response must not repeat
# another request's times, so the figure leaves only on a miss or a pass.
sub vcl_miss { set bereq.http.cs-before = time.elapsed.msec; }
sub vcl_pass { set bereq.http.cs-before = time.elapsed.msec; }
sub vcl_fetch {
  declare local var.upstream INTEGER;
  set var.upstream = std.atoi(time.elapsed.msec);
  set var.upstream -= std.atoi(bereq.http.cs-before);
  set beresp.http.cs-timing = "pre_forward;dur=" bereq.http.cs-before ", upstream;dur=" var.upstream;
}
sub vcl_deliver {
  if (fastly_info.state ~ "^(MISS|PASS)") {
    add resp.http.Server-Timing = resp.http.cs-timing;
  }
  unset resp.http.cs-timing;
}
