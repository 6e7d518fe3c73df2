package dev.holdfast.server.config.settings;

import dev.holdfast.server.auth.CertificateEntry;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.auth.jwt.ClaimRules;
import dev.holdfast.server.auth.jwt.RoleRule;
import dev.holdfast.server.config.values.CertificatesKind;
import dev.holdfast.server.config.values.ClaimsKind;
import dev.holdfast.server.config.values.RoleRulesKind;
import dev.holdfast.server.config.values.RolesKind;
import dev.holdfast.server.config.values.Texts;
import dev.holdfast.server.config.values.TokensKind;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@code authentication.*}, {@code auth.*} and {@code jwt.*}: who may do what. */
public final class AuthSettings {
    public static final Setting<Boolean> DISABLED = Setting.bool("authentication.disabled", false);
    public static final Setting<List<TokenEntry>> TOKENS = Setting.of("auth.tokens", new TokensKind(), "[]");
    public static final Setting<List<CertificateEntry>> CERTIFICATES =
            Setting.of("auth.certificates", new CertificatesKind(), "[]");
    public static final Setting<Optional<URI>> JWT_ISSUER = Setting.optional("jwt.issuer", Texts.webAddress());
    public static final Setting<Optional<URI>> JWT_JWKS = Setting.optional("jwt.jwks", Texts.webAddress());
    public static final Setting<Optional<String>> JWT_AUDIENCE = Setting.optional("jwt.audience", Texts.text(500));
    public static final Setting<String> JWT_ROLES_CLAIM =
            Setting.of("jwt.roles-claim", Texts.text(200), "holdfast_roles");
    public static final Setting<Grants> JWT_DEFAULT_ROLES = Setting.of("jwt.default-roles", new RolesKind(), "{}");
    public static final Setting<ClaimRules> JWT_BOUND_CLAIMS = Setting.of("jwt.bound-claims", new ClaimsKind(), "{}");
    public static final Setting<List<RoleRule>> JWT_ROLE_RULES =
            Setting.of("jwt.role-rules", new RoleRulesKind(), "[]");
    public static final Setting<Optional<String>> JWT_GROUP_CLAIM =
            Setting.optional("jwt.group-claim", Texts.text(200));
    public static final Setting<Duration> JWT_CLOCK_SKEW = Setting.duration("jwt.clock-skew", "0s", "5m", "30s");

    private AuthSettings() {}
}
