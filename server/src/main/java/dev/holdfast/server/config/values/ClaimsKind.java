package dev.holdfast.server.config.values;

import dev.holdfast.server.auth.Glob;
import dev.holdfast.server.auth.jwt.ClaimRules;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What claims must be: {@code {repository: acme/shop, ref: [refs/heads/main, "refs/tags/v*"]}}. */
public final class ClaimsKind implements ValueKind<ClaimRules> {
    private static final int MOST_CLAIMS = 50;
    private static final int MOST_PATTERNS = 100;
    private static final int LONGEST_NAME = 200;

    @Override
    public ClaimRules read(Value value) throws ValueRefusal {
        RefusalDetails details = new RefusalDetails();
        Map<String, List<String>> claims = read(YamlText.unfolded(value), "", details);
        details.refuse();
        return ClaimRules.spelled(claims);
    }

    /** The claims in a part of a larger value; what is wrong goes to {@code details}. */
    static Map<String, List<String>> read(Value value, String path, RefusalDetails details) {
        if (!(value instanceof Value.Fields fields) || fields.fields().size() > MOST_CLAIMS) {
            details.add(path, "must be a map of at most " + MOST_CLAIMS + " claims to patterns", value.described());
            return Map.of();
        }
        Map<String, List<String>> claims = new LinkedHashMap<>();
        fields.fields().forEach((claim, patterns) -> {
            if (!isShort(claim, LONGEST_NAME)) {
                details.add(
                        path,
                        "has a claim whose name is not 1 to 200 printable characters",
                        ValueRefusal.quoted(claim));
            }
            claims.put(claim, patterns(patterns, path + "." + claim, details));
        });
        return claims;
    }

    private static List<String> patterns(Value value, String path, RefusalDetails details) {
        List<Value> all = value instanceof Value.Items items ? items.items() : List.of(value);
        boolean sound = !all.isEmpty()
                && all.size() <= MOST_PATTERNS
                && all.stream().allMatch(item -> item instanceof Value.Text text && isShort(text.text(), Glob.MAX));
        if (!sound) {
            details.add(
                    path,
                    "must be a text in which * stands for any characters, or a list of 1 to 100 of them",
                    value.described());
            return List.of();
        }
        return all.stream().map(item -> ((Value.Text) item).text()).toList();
    }

    static boolean isShort(String text, int most) {
        return !text.isEmpty() && text.length() <= most && text.chars().noneMatch(Character::isISOControl);
    }

    @Override
    public String allowed() {
        return "a map of claims to a text, in which `*` stands for any characters, or to a list of them";
    }

    @Override
    public String shown(Value value, ClaimRules read) {
        return YamlText.shown(value);
    }
}
