package io.trapline.cluster;

import io.trapline.tls.MemberTls;
import java.util.Optional;

/**
 * Where a member listens for others, and how.
 *
 * @param at port 0 takes a free one
 * @param tls empty where nothing is encrypted and nobody has to prove who he is
 */
public record Bind(Endpoint at, Optional<MemberTls> tls) {}
