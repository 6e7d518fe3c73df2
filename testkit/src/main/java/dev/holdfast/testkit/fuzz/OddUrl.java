package dev.holdfast.testkit.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * A URL with a secret in it that is badly written: with what ought to be escaped and is not, in places where people put secrets.
 *
 * @param url as somebody may type it
 * @param words parts of the secret that stand nowhere else: whatever has one of them in it has shown the secret
 */
public record OddUrl(String url, List<String> words) {
    private static final List<String> SCHEMES = List.of(
            "postgresql://",
            "postgres://",
            "mariadb://",
            "mysql://",
            "dynamodb://",
            "s3://",
            "http://",
            "https://",
            "jdbc:postgresql://",
            "jdbc:mysql:loadbalance://",
            "redis://",
            "sqlite://",
            "file://",
            "POSTGRESQL://",
            "postgresql:",
            "");
    private static final List<String> USERS =
            List.of("app", "", "alice@corp.example", "a%40b", "us er", "ünï", "a.b-c_d", "AKIA123");
    private static final List<String> ODD = List.of(
            "/", "@", "%", "?", ":", "#", "&", "=", ";", "//", "://", "@@", "%40", "%3a", "%2F", "+", " ", ",", "(",
            ")", "[", "]", "\\", "'", "\"", "$", "!", "~", "é", "\n", "?x=", "&y=", "@h/", ":1/");
    private static final List<String> HOSTS =
            List.of("db", "db.example:5432", "10.0.0.1", "[::1]:5432", "[fe80::1%25eth0]", "a:1,b:2", "", "localhost");
    private static final List<String> PATHS = List.of("", "/", "/shop", "/shop/x", "/sh:op", "/shop#my_locks");
    private static final List<String> NAMES = List.of(
            "password",
            "PASSWORD",
            "sslPassword",
            "passwd",
            "pwd",
            "token",
            "access_token",
            "secret",
            "secret_access_key",
            "key",
            "apiKey",
            "trustStorePassword",
            "p%61ssword",
            "client-secret",
            "X-Amz-Signature",
            "credentials");

    /** Keeps its own copy. */
    public OddUrl {
        words = List.copyOf(words);
    }

    /** Of any kind. */
    public static OddUrl any(Random random) {
        return of(pick(SCHEMES, random), random);
    }

    /** Behind this scheme, which ends as it is to be followed, such as {@code postgresql://}. */
    public static OddUrl of(String scheme, Random random) {
        List<String> words = new ArrayList<>();
        String secret = secret(words, random);
        String parameters = random.nextBoolean() ? "" : "?user=app&mode=x";
        String place = pick(HOSTS, random) + pick(PATHS, random);
        String url = switch (random.nextInt(4)) {
            case 0, 1 -> pick(USERS, random) + ":" + secret + "@" + place + parameters;
            case 2 -> place + (random.nextBoolean() ? "?" : "?a=b&") + pick(NAMES, random) + "=" + secret;
            default ->
                place + "?endpoint=" + pick(List.of("http://", "http%3A%2F%2F", "https%3a//"), random) + "u"
                        + pick(List.of(":", "%3A"), random) + secret + pick(List.of("@", "%40"), random) + "host";
        };
        return new OddUrl(scheme + url, words);
    }

    /** Words joined by what ought to be escaped. */
    private static String secret(List<String> words, Random random) {
        StringBuilder text = new StringBuilder();
        int parts = 1 + random.nextInt(4);
        for (int i = 0; i < parts; i++) {
            String word = random.ints(7, 'a', 'z' + 1)
                    .mapToObj(c -> String.valueOf((char) c))
                    .collect(Collectors.joining("", "Q", "Q"));
            words.add(word);
            text.append(random.nextInt(4) == 0 ? pick(ODD, random) : "").append(word);
            text.append(i + 1 < parts || random.nextInt(4) == 0 ? pick(ODD, random) : "");
        }
        return text.toString();
    }

    /** Whether a text shows a part of the secret. */
    public boolean isShownIn(String text) {
        return words.stream().anyMatch(text::contains);
    }

    private static String pick(List<String> list, Random random) {
        return list.get(random.nextInt(list.size()));
    }
}
