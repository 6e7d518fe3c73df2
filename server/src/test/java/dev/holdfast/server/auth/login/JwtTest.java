package dev.holdfast.server.auth.login;

import static com.nimbusds.jose.JWSAlgorithm.ES256;
import static com.nimbusds.jose.JWSAlgorithm.ES384;
import static com.nimbusds.jose.JWSAlgorithm.ES512;
import static com.nimbusds.jose.JWSAlgorithm.HS256;
import static com.nimbusds.jose.JWSAlgorithm.PS256;
import static com.nimbusds.jose.JWSAlgorithm.RS256;
import static com.nimbusds.jose.JWSAlgorithm.RS384;
import static com.nimbusds.jose.JWSAlgorithm.RS512;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import dev.holdfast.server.auth.Authentication;
import dev.holdfast.server.auth.Authentication.Known;
import dev.holdfast.server.auth.Authentication.Refused;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Principal;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.auth.jwt.ClaimRules;
import dev.holdfast.server.auth.jwt.IssuerKeys;
import dev.holdfast.server.auth.jwt.JwtConfig;
import dev.holdfast.server.auth.jwt.JwtConfigs;
import dev.holdfast.server.auth.jwt.RoleRule;
import dev.holdfast.testkit.Await;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("a caller with a JWT")
class JwtTest {
    private static final Duration SKEW = Duration.ofSeconds(30);

    private final Issuer issuer = new Issuer();
    private final TestClock clock = new TestClock(Instant.parse("2030-01-01T00:00:00Z"));
    private Authenticator authenticator = authenticator(Grants.NONE);

    @AfterEach
    void close() {
        authenticator.close();
        issuer.close();
    }

    @Test
    @DisplayName("is known by its subject, with the roles of the token, as bearer and as password")
    void known() {
        String token =
                Issuer.sign(Issuer.RSA, RS256, issuer.claims(clock.instant()).build());
        Principal alice = new Principal("alice", Grants.in("billing", Role.LOCK), Principal.CredentialOrigin.JWT);

        assertThat(((Known) present(token)).principal()).isEqualTo(alice);
        String pair = Base64.getEncoder().encodeToString(("me:" + token).getBytes(StandardCharsets.UTF_8));
        assertThat(((Known) Await.get(authenticator.authenticate(Optional.of("Basic " + pair)))).principal())
                .isEqualTo(alice);
    }

    @Test
    @DisplayName("is paid for before its signature is checked, and not again while it is remembered")
    void paidFor() {
        String header = "Bearer "
                + Issuer.sign(Issuer.RSA, RS256, issuer.claims(clock.instant()).build());
        AtomicInteger paid = new AtomicInteger();
        Runnable refuse = () -> {
            throw new IllegalStateException("no more of these");
        };
        assertThatThrownBy(() -> authenticator.authenticate(Optional.of(header), List::of, refuse))
                .hasMessage("no more of these");
        for (int i = 0; i < 3; i++) {
            assertThat(Await.get(authenticator.authenticate(Optional.of(header), List::of, paid::incrementAndGet)))
                    .isInstanceOf(Known.class);
        }
        assertThat(paid).hasValue(1);
        assertThat(Await.get(authenticator.authenticate(Optional.of("Bearer no-jwt"), List::of, refuse)))
                .isInstanceOf(Refused.class);
    }

    @Test
    @DisplayName("may use each of RS256, RS384, RS512, ES256, ES384, ES512")
    void algorithms() {
        JWK p384 = Issuer.ec("p384", Curve.P_384);
        JWK p521 = Issuer.ec("p521", Curve.P_521);
        publish(Issuer.RSA, Issuer.EC, p384, p521);
        JWTClaimsSet claims = issuer.claims(clock.instant()).build();

        assertKnown(Issuer.sign(Issuer.RSA, RS256, claims));
        assertKnown(Issuer.sign(Issuer.RSA, RS384, claims));
        assertKnown(Issuer.sign(Issuer.RSA, RS512, claims));
        assertKnown(Issuer.sign(Issuer.EC, ES256, claims));
        assertKnown(Issuer.sign(p384, ES384, claims));
        assertKnown(Issuer.sign(p521, ES512, claims));
    }

    @Test
    @DisplayName("is refused without a signature, with a shared secret, and with the public key used as one")
    void confusion() throws Exception {
        JWTClaimsSet claims = issuer.claims(clock.instant()).build();
        PublicKey publicKey = Issuer.RSA.toRSAKey().toPublicKey();
        String pem = "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(publicKey.getEncoded())
                + "\n-----END PUBLIC KEY-----\n";
        JWK secret = new OctetSequenceKey.Builder(new byte[64]).keyID("shared").build();
        publish(Issuer.RSA, Issuer.EC, secret);

        assertRefused(new PlainJWT(claims).serialize(), "");
        assertRefused(Issuer.sign(symmetric(publicKey.getEncoded()), HS256, claims), "algorithm");
        assertRefused(Issuer.sign(symmetric(pem.getBytes(StandardCharsets.UTF_8)), HS256, claims), "algorithm");
        assertRefused(Issuer.sign(secret, HS256, claims), "algorithm");
        assertRefused(Issuer.sign(Issuer.RSA, PS256, claims), "algorithm");
    }

    @Test
    @DisplayName("is refused with the right name of a wrong key, and with a key of its own in the header")
    void wrongKey() {
        JWTClaimsSet claims = issuer.claims(clock.instant()).build();
        JWSHeader posing = new JWSHeader.Builder(RS256).keyID("rsa-1").build();
        JWSHeader bringing = new JWSHeader.Builder(RS256)
                .keyID("rsa-1")
                .jwk(Issuer.OTHER_RSA.toPublicJWK())
                .jwkURL(issuer.jwks())
                .build();

        assertRefused(Issuer.sign(Issuer.OTHER_RSA, posing, claims), "signature");
        assertRefused(Issuer.sign(Issuer.OTHER_RSA, bringing, claims), "signature");
        assertRefused(Issuer.sign(Issuer.OTHER_RSA, RS256, claims), "does not publish");
        assertRefused(
                Issuer.sign(
                        Issuer.EC, new JWSHeader.Builder(ES256).keyID("rsa-1").build(), claims),
                "publish");
    }

    @Test
    @DisplayName("need not name the key if only one fits, and must if several do")
    void withoutKeyId() {
        JWTClaimsSet claims = issuer.claims(clock.instant()).build();
        assertKnown(Issuer.sign(Issuer.EC, new JWSHeader.Builder(ES256).build(), claims));

        publish(Issuer.RSA, Issuer.OTHER_RSA);
        assertRefused(Issuer.sign(Issuer.RSA, new JWSHeader.Builder(RS256).build(), claims), "which of several keys");
    }

    @Test
    @DisplayName("is refused if a single character of the token is changed")
    void tampered() {
        String token =
                Issuer.sign(Issuer.EC, ES256, issuer.claims(clock.instant()).build());
        String[] parts = token.split("\\.", 3);
        String admin =
                new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8).replace("lock", "admin");

        assertRefused(parts[0] + "." + base64(admin) + "." + parts[2], "signature");
        assertRefused(parts[0] + "." + parts[1] + ".", "");
        assertRefused(parts[0] + "." + parts[1] + "." + "A".repeat(parts[2].length()), "");
        for (int i = 0; i < token.length(); i += 7) {
            if (token.charAt(i) != '.') {
                char other = token.charAt(i) == 'A' ? 'B' : 'A';
                assertRefused(token.substring(0, i) + other + token.substring(i + 1), "");
            }
        }
        assertKnown(token);
    }

    @Test
    @DisplayName("is refused after the expiry and before the start, give or take the clock skew")
    void times() {
        Instant now = clock.instant();
        assertRefused(claims(it -> it.expirationTime(Date.from(now.minus(SKEW)))), "expired at 2029-12-31T23:59:30Z");
        assertKnown(claims(it -> it.expirationTime(Date.from(now.minus(SKEW).plusSeconds(1)))));
        assertRefused(claims(it -> it.notBeforeTime(Date.from(now.plus(SKEW).plusSeconds(1)))), "not valid before");
        assertKnown(claims(it -> it.notBeforeTime(Date.from(now.plus(SKEW)))));
        assertRefused(claims(it -> it.expirationTime(null)), "no expiry");
        assertRefused(claims(it -> it.expirationTime(Date.from(Instant.EPOCH.minusSeconds(9)))), "expired");
        assertRefused(claims(it -> it.claim("nbf", "tomorrow")), "");
        assertRefused(claims(it -> it.claim("exp", "tomorrow")), "");
    }

    @Test
    @DisplayName("is refused if the token is of another issuer, or for another audience")
    void parties() {
        assertRefused(claims(it -> it.issuer("https://evil.example")), "issuer (iss) other than");
        assertRefused(claims(it -> it.issuer(issuer.url() + "/")), "issuer (iss) other than");
        assertRefused(claims(it -> it.issuer(null)), "issuer (iss) other than");
        assertRefused(claims(it -> it.audience("other")), "audience (aud) other than");
        assertRefused(claims(it -> it.audience(List.of())), "audience (aud) other than");
        assertRefused(claims(it -> it.audience("holdfast2")), "audience (aud) other than");
        assertKnown(claims(it -> it.audience("holdfast")));
    }

    @Test
    @DisplayName("is refused without a subject that can be shown")
    void subject() {
        assertRefused(claims(it -> it.subject(null)), "subject");
        assertRefused(claims(it -> it.subject("")), "subject");
        assertRefused(claims(it -> it.claim("sub", List.of("alice"))), "");
        assertRefused(claims(it -> it.subject("a\nb")), "subject");
        assertRefused(claims(it -> it.subject("a".repeat(257))), "subject");
        assertKnown(claims(it -> it.subject("ü".repeat(256))));
    }

    @Test
    @DisplayName("is refused if the token demands extensions, or is a token for something else")
    void headers() {
        JWTClaimsSet claims = issuer.claims(clock.instant()).build();
        JWSHeader.Builder header = new JWSHeader.Builder(RS256).keyID("rsa-1");
        assertRefused(
                Issuer.sign(
                        Issuer.RSA,
                        header.criticalParams(Set.of("exp2"))
                                .customParam("exp2", 1)
                                .build(),
                        claims),
                "crit");
        JWSHeader.Builder typed = new JWSHeader.Builder(RS256).keyID("rsa-1");
        assertRefused(
                Issuer.sign(
                        Issuer.RSA, typed.type(new JOSEObjectType("logout+jwt")).build(), claims),
                "typ");
        assertKnown(
                Issuer.sign(Issuer.RSA, typed.type(new JOSEObjectType("AT+JWT")).build(), claims));
        assertKnown(Issuer.sign(
                Issuer.RSA, new JWSHeader.Builder(RS256).keyID("rsa-1").build(), claims));
    }

    @Test
    @DisplayName("has the default roles without the claim, and is refused if the claim cannot be understood")
    void roles() {
        String claim = JwtConfigs.ROLES_CLAIM;
        String without = claims(it -> it.claim(claim, null));
        assertThat(((Known) present(without)).principal().grants()).isEqualTo(Grants.NONE);
        try (Authenticator generous = authenticator(Grants.everywhere(Role.READ))) {
            Known known = (Known) Await.get(generous.authenticate(Optional.of("Bearer " + without)));
            assertThat(known.principal().grants()).isEqualTo(Grants.everywhere(Role.READ));
        }
        assertKnown(claims(it -> it.claim(claim, Map.of())));
        assertRefused(claims(it -> it.claim(claim, Map.of("billing", List.of("root")))), "role 'root'");
        assertRefused(claims(it -> it.claim(claim, Map.of("bil ling", List.of("read")))), "'bil ling'");
        assertRefused(claims(it -> it.claim(claim, Map.of("billing", "read"))), "roles");
        assertRefused(claims(it -> it.claim(claim, Map.of("billing", List.of(1)))), "roles");
        assertRefused(claims(it -> it.claim(claim, List.of("read"))), "roles");
        assertRefused(claims(it -> it.claim(claim, "admin")), "roles");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a.b.c",
                "e30.e30.e30",
                "e30.e30.",
                "bnVsbA.bnVsbA.bnVsbA",
                "W10.W10.W10",
                "eyJhbGciOm51bGx9.e30.e30",
                "eyJhbGciOiJSUzI1NiJ9.e30.AA",
                "eyJhbGciOiJFUzI1NiIsImtpZCI6ImVjLTEifQ.e30.AA",
                "eyJhbGciOiJub25lIn0.e30.",
                "eyJhbGciOiJSUzI1NiIsImtpZCI6InJzYS0xIiwiY3JpdCI6WyJhbGciXX0.e30.AA"
            })
    @DisplayName("is refused with something that only looks like one")
    void nonsense(String token) {
        assertRefused(token, "");
    }

    @Test
    @DisplayName("is refused with a token that is huge, deeply nested or random")
    void garbage() {
        assertRefused("a".repeat(4_000) + "." + "b".repeat(4_000) + "." + "c".repeat(4_000), "longer");
        String nested = "{\"alg\":\"RS256\",\"x\":" + "[".repeat(2_500) + "]".repeat(2_500) + "}";
        assertRefused(base64(nested) + ".e30.AA", "");
        assertRefused(base64("{\"alg\":" + "[".repeat(5_000)) + ".e30.AA", "");
        Random random = new Random(4);
        for (int i = 0; i < 2_000; i++) {
            byte[] header = new byte[1 + random.nextInt(60)];
            random.nextBytes(header);
            String part = Base64.getUrlEncoder().withoutPadding().encodeToString(header);
            assertRefused(part + "." + part + "." + part, "");
        }
    }

    @Test
    @DisplayName("is answered at once the second time, but not longer than five minutes, nor past the expiry")
    void remembered() {
        String token = claims(it -> it);
        String brief = claims(it -> it.expirationTime(Date.from(clock.instant().plusSeconds(60))));
        Authentication checked = present(token);
        assertKnown(brief);

        assertThat(ask(token)).isCompletedWithValueMatching(answer -> answer == checked);
        clock.advance(Duration.ofSeconds(90));
        assertRefused(brief, "expired");
        clock.advance(Duration.ofMinutes(3));
        assertThat(present(token)).isSameAs(checked);
        clock.advance(Duration.ofSeconds(30));
        Authentication again = present(token);
        assertThat(again).as("checked again").isNotSameAs(checked);
        assertThat(((Known) again).principal()).isEqualTo(((Known) checked).principal());
    }

    // ---- claims that are asked for

    @Test
    @DisplayName("is refused unless every bound claim is there and matches")
    void boundClaims() {
        ClaimRules bound = ClaimRules.spelled(
                Map.of("repository", List.of("acme/shop", "acme/infra-*"), "ref", List.of("refs/heads/main")));
        use(jwt(bound, List.of(), Optional.empty()));
        assertKnown(claims(it -> it.claim("repository", "acme/shop").claim("ref", "refs/heads/main")));
        assertKnown(claims(it -> it.claim("repository", "acme/infra-dns").claim("ref", "refs/heads/main")));
        assertRefused(claims(it -> it), "'ref'");
        assertRefused(claims(it -> it.claim("repository", "acme/shop")), "'ref'");
        assertRefused(claims(it -> it.claim("ref", "refs/heads/main")), "'repository'");
        assertRefused(
                claims(it -> it.claim("repository", "evil/shop").claim("ref", "refs/heads/main")), "'repository'");
        assertRefused(
                claims(it -> it.claim("repository", "ACME/shop").claim("ref", "refs/heads/main")), "'repository'");
        assertRefused(
                claims(it -> it.claim("repository", "acme/shop2").claim("ref", "refs/heads/main")), "'repository'");
        assertRefused(
                claims(it -> it.claim("repository", Map.of("acme/shop", true)).claim("ref", "refs/heads/main")),
                "'repository'");
    }

    @Test
    @DisplayName("has the roles of every rule that matches, and those of the claim")
    void roleRules() {
        String claim = JwtConfigs.ROLES_CLAIM;
        List<RoleRule> rules = List.of(
                rule("repository", "acme/shop", Grants.in("deploy", Role.STATE)),
                rule("repository", "acme/*", Grants.in("ci", Role.LOCK)),
                rule("environment", "prod", Grants.in("deploy", Role.ADMIN)));
        use(jwt(ClaimRules.NONE, rules, Optional.empty()));
        assertThat(grants(claims(it -> it.claim(claim, null).claim("repository", "acme/shop"))))
                .isEqualTo(new Grants(Map.of("deploy", Set.of(Role.STATE), "ci", Set.of(Role.LOCK))));
        assertThat(grants(claims(it -> it.claim("repository", "acme/other"))))
                .as("with the claim of the token")
                .isEqualTo(new Grants(Map.of("billing", Set.of(Role.LOCK), "ci", Set.of(Role.LOCK))));
        assertThat(grants(claims(it -> it.claim(claim, null).claim("repository", "evil/shop"))))
                .isEqualTo(Grants.NONE);
        assertThat(grants(claims(it ->
                        it.claim(claim, null).claim("repository", "acme/shop").claim("environment", "prod"))))
                .isEqualTo(new Grants(Map.of("deploy", Set.of(Role.STATE, Role.ADMIN), "ci", Set.of(Role.LOCK))));
    }

    private JwtConfig jwt(ClaimRules bound, List<RoleRule> rules, Optional<String> groupClaim) {
        JwtConfig usual = jwt(Grants.NONE);
        return new JwtConfig(
                usual.issuer(),
                usual.jwks(),
                usual.audience(),
                usual.rolesClaim(),
                usual.defaultRoles(),
                usual.clockSkew(),
                bound,
                rules,
                groupClaim);
    }

    private static RoleRule rule(String claim, String pattern, Grants roles) {
        return new RoleRule(ClaimRules.spelled(Map.of(claim, List.of(pattern))), roles);
    }

    private Grants grants(String token) {
        return ((Known) present(token)).principal().grants();
    }

    @Test
    @DisplayName("has the group of the claim that is named for it, and is refused if that is no group")
    void group() {
        assertThat(principal(claims(it -> it.claim("repository", "acme/shop"))).group())
                .isEmpty();
        use(jwt(ClaimRules.NONE, List.of(), Optional.of("repository")));
        assertThat(principal(claims(it -> it.claim("repository", "acme/shop"))).group())
                .contains("acme/shop");
        assertThat(principal(claims(it -> it)).group()).isEmpty();
        assertRefused(claims(it -> it.claim("repository", List.of("acme/shop"))), "group");
        assertRefused(claims(it -> it.claim("repository", "a b")), "group");
    }

    private Principal principal(String token) {
        return ((Known) present(token)).principal();
    }

    // ---- the attacks that are tried first

    @Test
    @DisplayName("is refused with a key, certificate or address of keys of its own in the header")
    void broughtKeys() throws Exception {
        JWTClaimsSet claims = issuer.claims(clock.instant()).build();
        for (JWSHeader.Builder header : List.of(
                new JWSHeader.Builder(RS256).jwk(Issuer.OTHER_RSA.toPublicJWK()),
                new JWSHeader.Builder(RS256).jwkURL(URI.create("https://evil.example/keys")),
                new JWSHeader.Builder(RS256).x509CertURL(URI.create("https://evil.example/cert")),
                new JWSHeader.Builder(RS256)
                        .x509CertChain(List.of(com.nimbusds.jose.util.Base64.encode("not looked at"))))) {
            assertRefused(Issuer.sign(Issuer.OTHER_RSA, header.keyID("rsa-1").build(), claims), "signature");
            assertRefused(Issuer.sign(Issuer.OTHER_RSA, header.keyID("rsa-2").build(), claims), "does not publish");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"../../etc/passwd", "rsa-1' OR '1'='1", "/dev/null", "https://evil.example/key", "RSA-1", ""})
    @DisplayName("is refused with the name of a key that nobody published, whatever it is")
    void oddKeyIds(String kid) {
        JWTClaimsSet claims = issuer.claims(clock.instant()).build();
        assertRefused(
                Issuer.sign(
                        Issuer.OTHER_RSA,
                        new JWSHeader.Builder(RS256).keyID(kid).build(),
                        claims),
                "");
    }

    @Test
    @DisplayName("is refused if the algorithm is spelled in another way, or missing")
    void oddAlgorithms() {
        String payload = base64(issuer.claims(clock.instant()).build().toString());
        for (String algorithm : List.of("none", "None", "NONE", "nOnE", "rs256", "HS256", "HS512", "EdDSA", "")) {
            for (String signature : List.of("", "AA", "c2lnbmF0dXJl")) {
                assertRefused(
                        base64("{\"alg\":\"" + algorithm + "\",\"kid\":\"rsa-1\"}") + "." + payload + "." + signature,
                        "");
            }
        }
        assertRefused(base64("{\"kid\":\"rsa-1\"}") + "." + payload + ".AA", "");
        assertRefused(base64("{\"alg\":[\"RS256\",\"none\"]}") + "." + payload + ".AA", "");
    }

    @Test
    @DisplayName("is refused if a claim or a header is there twice: readers differ in which they take")
    void duplicates() throws Exception {
        Instant now = clock.instant();
        String twice = "{\"sub\":\"alice\",\"sub\":\"root\",\"iss\":\"" + issuer.url()
                + "\",\"aud\":\"holdfast\",\"exp\":" + now.plusSeconds(600).getEpochSecond() + "}";
        assertRefused(signed("{\"alg\":\"RS256\",\"kid\":\"rsa-1\"}", twice), "");
        String once = twice.replace("\"sub\":\"root\",", "");
        assertKnown(signed("{\"alg\":\"RS256\",\"kid\":\"rsa-1\"}", once));
        assertRefused(signed("{\"alg\":\"none\",\"alg\":\"RS256\",\"kid\":\"rsa-1\"}", once), "");
    }

    @Test
    @DisplayName("is refused without times that make sense, however far away they are")
    void farTimes() throws Exception {
        String body = "{\"sub\":\"alice\",\"iss\":\"" + issuer.url() + "\",\"aud\":\"holdfast\"";
        String header = "{\"alg\":\"RS256\",\"kid\":\"rsa-1\"}";
        for (String exp : List.of("0", "-1", "-9223372036854775808", "true", "[]", "\"4102444800\"", "null")) {
            assertRefused(signed(header, body + ",\"exp\":" + exp + "}"), "");
        }
        for (String exp : List.of("9223372036854775807", "1e400", "99999999999999999999999")) {
            assertThat(present(signed(header, body + ",\"exp\":" + exp + "}")))
                    .as("may be refused or known, must be answered")
                    .isInstanceOfAny(Known.class, Refused.class);
        }
        String far = body + ",\"exp\":" + clock.instant().plusSeconds(600).getEpochSecond() + ",\"nbf\":";
        for (String nbf : List.of("4102444800", "\"1\"", "{}")) {
            assertRefused(signed(header, far + nbf + "}"), "");
        }
    }

    @Test
    @DisplayName("is refused with an audience that only looks like ours, alone or in a list")
    void oddAudiences() {
        assertRefused(
                claims(it -> it.audience(List.of("Holdfast", "holdfast ", " holdfast", "holdfast\u0000"))), "aud");
        assertRefused(claims(it -> it.claim("aud", Map.of("holdfast", true))), "");
        assertRefused(claims(it -> it.claim("aud", null)), "aud");
        assertKnown(claims(it -> it.audience(List.of("a", "b", "holdfast"))));
    }

    @Test
    @DisplayName("is refused with white space or other characters in or around the token, or a fourth part")
    void whitespace() {
        String token = claims(it -> it);
        String[] parts = token.split("\\.", 3);
        for (String spoiled : List.of(
                token.replaceFirst("\\.", ". "),
                token.replaceFirst("\\.", ".\n"),
                "\t" + token,
                token + "\n",
                token + ".",
                token + "." + parts[2],
                "." + token,
                token + "=",
                token.replaceFirst("\\.", ".."),
                parts[0] + "." + parts[1],
                parts[0] + "." + parts[1] + "." + parts[1])) {
            assertRefused(spoiled, "");
        }
        assertKnown(token);
    }

    /** Signed as it stands, also if no honest issuer would write so. */
    private static String signed(String header, String payload) throws Exception {
        String content = base64(header) + "." + base64(payload);
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(Issuer.RSA.toRSAKey().toPrivateKey());
        signature.update(content.getBytes(StandardCharsets.US_ASCII));
        return content + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature.sign());
    }

    // ---- what was opened with a token

    @Test
    @DisplayName("stands until the token ends, or its key is withdrawn")
    void standing() throws Exception {
        Known known = (Known)
                present(claims(it -> it.expirationTime(Date.from(clock.instant().plusSeconds(60)))));
        AtomicInteger ended = new AtomicInteger();
        known.standing().whenOver(ended::incrementAndGet);
        assertThat(known.standing().stands()).isTrue();
        clock.advance(Duration.ofSeconds(60).plus(SKEW));
        assertThat(known.standing().stands()).isFalse();
        Await.until("the end is told", () -> ended.get() == 1);
    }

    private String claims(UnaryOperator<JWTClaimsSet.Builder> spoiled) {
        return Issuer.sign(
                Issuer.RSA, RS256, spoiled.apply(issuer.claims(clock.instant())).build());
    }

    private void assertKnown(String token) {
        assertThat(present(token)).isInstanceOf(Known.class);
    }

    private void assertRefused(String token, String why) {
        assertThat(present(token))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.why()).contains(why).endsWith("."));
    }

    private Authentication present(String token) {
        return Await.get(ask(token));
    }

    private CompletableFuture<Authentication> ask(String token) {
        return authenticator.authenticate(Optional.of("Bearer " + token)).toCompletableFuture();
    }

    private Authenticator authenticator(Grants byDefault) {
        return authenticator(jwt(byDefault));
    }

    private JwtConfig jwt(Grants byDefault) {
        return JwtConfigs.of(
                Optional.of(issuer.url()), Optional.empty(), "holdfast", JwtConfigs.ROLES_CLAIM, byDefault, SKEW);
    }

    private Authenticator authenticator(JwtConfig jwt) {
        return Authenticator.of(new AuthConfig(false, Optional.of(jwt), List.of()), clock, IssuerKeys.Pace.STANDARD);
    }

    /** As configured so from now on. */
    private void use(JwtConfig jwt) {
        authenticator.close();
        authenticator = authenticator(jwt);
    }

    /** These from now on, to a server that has seen no others. */
    private void publish(JWK... keys) {
        authenticator.close();
        issuer.keys = List.of(keys);
        authenticator = authenticator(Grants.NONE);
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static JWK symmetric(byte[] secret) {
        return new OctetSequenceKey.Builder(secret).keyID("rsa-1").build();
    }
}
