package dev.holdfast.state.terraform;

import dev.holdfast.model.Hold;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Times;
import dev.holdfast.model.Waiter;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.json.InvalidJsonException;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.ObjectBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What terraform says about a lock it takes, and wants to read back when another has it: a JSON object with {@code ID} and a few
 * texts. Kept in the metadata of the lock: as its fields where that gives the same bytes again, else also as it came; what does
 * not fit there has a document beside the state.
 */
public final class TerraformLockInfo {
    /** Longest that is taken: the texts in it are a few words each. */
    static final int MAX_SIZE = 64 << 10;

    static final String ID = "ID";
    static final String OPERATION = "Operation";
    static final String WHO = "Who";
    static final String CREATED = "Created";

    /** In the order terraform writes them. */
    private static final List<String> FIELDS = List.of(ID, OPERATION, "Info", WHO, "Version", CREATED, "Path");

    private static final String RAW = "LockInfo";
    private static final String BESIDE = "beside";
    private static final int MAX_SHORT = 200;

    private final byte[] raw;
    private final Map<String, String> texts;

    private TerraformLockInfo(byte[] raw, Map<String, String> texts) {
        this.raw = raw;
        this.texts = texts;
    }

    /**
     * Reads what was sent.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static TerraformLockInfo parse(byte[] raw) {
        if (raw.length > MAX_SIZE) {
            throw new IllegalArgumentException("the LockInfo is larger than the " + MAX_SIZE + " bytes allowed");
        }
        try {
            if (Json.parse(raw) instanceof Json.Obj object) {
                Map<String, String> texts = new LinkedHashMap<>();
                FIELDS.forEach(field -> object.text(field).ifPresent(text -> texts.put(field, text)));
                return new TerraformLockInfo(raw, texts);
            }
        } catch (InvalidJsonException e) {
            throw new IllegalArgumentException("the LockInfo is not valid: " + e.getMessage(), e);
        }
        throw new IllegalArgumentException("the LockInfo must be a JSON object with an ID");
    }

    public byte[] raw() {
        return raw;
    }

    /** The ID; empty if there is none. */
    public String id() {
        return texts.getOrDefault(ID, "");
    }

    public boolean isLockable() {
        return LockIds.isId(id());
    }

    /** Whom to name as the holder. */
    Optional<String> who() {
        return shown(WHO, Terms.MAX_METADATA).filter(text -> !text.isEmpty());
    }

    String operation() {
        return shown(OPERATION, MAX_SHORT).orElse("");
    }

    /** The terms of a lock that does not end by itself, and looks stale after this long. */
    Terms terms(Duration staleAfter) {
        Terms bare = new Terms(Times.FOREVER, staleAfter.dividedBy(2), Duration.ZERO, Map.of(), operation());
        Map<String, String> all = new LinkedHashMap<>(texts);
        if (!Arrays.equals(written(texts), raw)) {
            all.put(RAW, new String(raw, StandardCharsets.UTF_8));
        }
        try {
            return with(bare, all);
        } catch (IllegalArgumentException e) { // too much, or text that a lock does not take
            Map<String, String> few = new LinkedHashMap<>();
            for (String field : List.of(ID, OPERATION, WHO, CREATED)) {
                shown(field, MAX_SHORT).ifPresent(text -> few.put(field, text));
            }
            few.put(RAW, BESIDE);
            return with(bare, few);
        }
    }

    private static Terms with(Terms terms, Map<String, String> metadata) {
        return new Terms(terms.lease(), terms.renewEvery(), terms.minHold(), metadata, terms.reason(), terms.account());
    }

    /** A text that every place takes where people read it. */
    private Optional<String> shown(String field, int most) {
        return Optional.ofNullable(texts.get(field)).map(text -> printable(text, Math.min(most, 512)));
    }

    private static String printable(String text, int most) {
        String whole = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        String clean = whole.replaceAll("[\\p{Cntrl}\\u0080-\\u009f\\u2028\\u2029]", "?");
        return clean.length() <= most
                ? clean
                : clean.substring(0, clean.offsetByCodePoints(0, clean.codePointCount(0, most - 4))) + "...";
    }

    private static byte[] written(Map<String, String> texts) {
        ObjectBuilder json = Json.build();
        FIELDS.forEach(field -> json.ifPresent(field, Optional.ofNullable(texts.get(field))));
        return json.build().bytes();
    }

    // ---- of a lock that is held

    /** Whether it was taken by {@code LOCK}: then its ID is known to all who look. */
    static boolean isNamed(Hold hold) {
        return hold.terms().metadata().containsKey(ID);
    }

    /** Whether the terms of this hold have no room for all of it. */
    static boolean isBeside(Terms terms) {
        return BESIDE.equals(terms.metadata().get(RAW)) || !terms.metadata().containsKey(ID);
    }

    /** As kept in the metadata of a hold; empty if it is not there, or not all of it. */
    static Optional<byte[]> kept(Map<String, String> metadata) {
        String raw = metadata.get(RAW);
        if (raw != null) {
            return raw.equals(BESIDE) ? Optional.empty() : Optional.of(raw.getBytes(StandardCharsets.UTF_8));
        }
        return metadata.containsKey(ID) ? Optional.of(written(metadata)) : Optional.empty();
    }

    /** Whether the document beside the state may belong to this hold: its metadata had no room for all. */
    static boolean isBeside(Hold hold) {
        return hold.isHeld() && hold.expiresAt().equals(Times.NEVER) && isBeside(hold.terms());
    }

    /** What can be told of a hold that came in another way. */
    static byte[] told(Stack stack, Hold hold) {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put(ID, unnamed(hold.token().value()));
        texts.put(OPERATION, hold.terms().reason());
        texts.put("Info", "held through Holdfast");
        texts.put(WHO, hold.owner());
        texts.put(CREATED, Rfc3339.text(hold.grantedAt()));
        texts.put("Path", stack.toString());
        texts.putAll(hold.terms().metadata());
        return written(texts); // of others only what terraform knows
    }

    /**
     * Of a lock that is free, but kept for who came first.
     *
     * @param id of that one, if it came by {@code LOCK}; a lease id of another kind is its waiter's secret
     */
    static byte[] promised(Stack stack, String id, Optional<Waiter> first) {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put(ID, id);
        texts.put(OPERATION, "");
        texts.put("Info", "reserved for the first in line");
        texts.put(WHO, first.map(Waiter::owner).orElse("the first in line"));
        first.ifPresent(waiter -> texts.put(CREATED, Rfc3339.text(waiter.since())));
        texts.put("Path", stack.toString());
        return written(texts);
    }

    /** Stands for the ID of a holder that has none: terraform does not wait for a lock without. */
    static String unnamed(long token) {
        return "token-" + token;
    }
}
