package dev.holdfast.dynamodb.locks;

import dev.holdfast.model.EndedLeases;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Stamp;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * A write as one conditional request. Attributes are set and removed one by one, so that a past which is to stay, and what
 * other tools have added, stays. All names go by placeholders: several are reserved words of DynamoDB.
 */
final class ConditionalWrite {
    /** So many leases fit into one condition, which has at most 300 operators; with more it needs the item absent. */
    static final int MAX_LEASES = 64;

    private final Map<String, String> names = new HashMap<>();
    private final Map<String, AttributeValue> values = new HashMap<>();

    private ConditionalWrite() {}

    static UpdateItemRequest update(String table, LockItem items, Write write) {
        ConditionalWrite request = new ConditionalWrite();
        LockRecord record = write.record().orElseThrow();
        Map<String, AttributeValue> item = items.attributes(record, write.text());
        Set<String> untouched = Set.of();
        if (CentralHold.leftBy(write.precondition(), record).isPresent()) {
            item.put(LockItem.ELSEWHERE, AttributeValue.fromBool(true));
            untouched = Set.copyOf(CentralItem.ATTRIBUTES);
        }
        String update = request.update(item, write, untouched);
        String condition = request.condition(write.precondition());
        return UpdateItemRequest.builder()
                .tableName(table)
                .key(LockItem.key(write.key()))
                .updateExpression(update)
                .conditionExpression(condition)
                .expressionAttributeNames(request.names)
                .expressionAttributeValues(request.values)
                .returnValues(
                        write.precondition() instanceof Precondition.IdleBelow ? ReturnValue.ALL_OLD : ReturnValue.NONE)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
    }

    static DeleteItemRequest delete(String table, Write write, Precondition.Stamped stamped) {
        ConditionalWrite request = new ConditionalWrite();
        String condition = request.condition(stamped);
        return DeleteItemRequest.builder()
                .tableName(table)
                .key(LockItem.key(write.key()))
                .conditionExpression(condition)
                .expressionAttributeNames(request.names)
                .expressionAttributeValues(request.values)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
    }

    private String update(Map<String, AttributeValue> item, Write write, Set<String> untouched) {
        boolean unseen = write.precondition() instanceof Precondition.IdleBelow;
        List<String> sets = new ArrayList<>();
        List<String> removes = new ArrayList<>();
        for (String name : LockItem.ATTRIBUTES) {
            AttributeValue value = item.get(name);
            if (untouched.contains(name) || (name.equals(LockItem.PAST) && write.samePast())) {
                continue;
            }
            if (unseen && (name.equals(LockItem.PAST) || name.equals(LockItem.KEEP))) {
                if (value != null) {
                    sets.add(name(name) + " = if_not_exists(" + name(name) + ", " + value(name, value) + ")");
                }
            } else if (value == null) {
                removes.add(name(name));
            } else if (unseen && name.equals(LockItem.EXPIRY)) {
                // A once-only marker that stays unseen must not get an end of its life by this.
                sets.add(name(name) + " = if_not_exists(" + name(LockItem.KEEP) + ", " + value(name, value) + ")");
            } else {
                sets.add(name(name) + " = " + value(name, value));
            }
        }
        String set = "SET " + String.join(", ", sets);
        return removes.isEmpty() ? set : set + " REMOVE " + String.join(", ", removes);
    }

    private String condition(Precondition precondition) {
        return precondition.fold(
                absent -> absent(),
                stamped -> CentralHold.expectedBy(stamped).map(this::held).orElseGet(() -> stamped(stamped.stamp())),
                this::idleBelow);
    }

    private String stamped(Stamp stamp) {
        return name(LockItem.STAMP) + " = " + value("expected", LockItem.number(stamp.value()));
    }

    /** LockServiceCentral knows no stamps: whatever it may have changed is compared. */
    private String held(CentralHold hold) {
        CentralItem central = hold.central();
        String ours =
                hold.stamp().map(this::stamped).orElseGet(() -> "attribute_not_exists(" + name(LockItem.STAMP) + ")");
        return String.join(
                " AND ",
                ours,
                name("owner") + " = " + value("expectedOwner", AttributeValue.fromS(central.owner())),
                name("instanceId") + " = " + value("expectedInstance", AttributeValue.fromS(central.instanceId())),
                name("leaseDuration") + " = " + value("expectedLease", LockItem.number(central.leaseDuration())),
                name(LockItem.EXPIRY) + " = " + value("expectedExpiry", LockItem.number(central.expiry())));
    }

    private String absent() {
        return "attribute_not_exists(" + name(LockItem.KEY) + ")";
    }

    private String idleBelow(Precondition.IdleBelow idle) {
        String absent = absent();
        if (idle.leases().size() > MAX_LEASES) {
            return absent;
        }
        List<String> conditions = new ArrayList<>(List.of(
                name(LockItem.BUSY) + " = " + value("idle", AttributeValue.fromBool(false)),
                name(LockItem.FENCE) + " < "
                        + value("below", LockItem.number(idle.token().value())),
                // Earlier versions kept a once-only marker with neither.
                "(attribute_exists(" + name(LockItem.EXPIRY) + ") OR attribute_exists(" + name(LockItem.KEEP) + "))",
                name(LockItem.FORMAT) + " <= " + value("known", LockItem.number(LockRecord.FORMAT))));
        int i = 0;
        for (LeaseId lease : idle.leases()) {
            AttributeValue ended = AttributeValue.fromS(EndedLeases.mark(lease));
            conditions.add("NOT contains(" + name(LockItem.PAST) + ", " + value("ended" + i++, ended) + ")");
        }
        return absent + " OR (" + String.join(" AND ", conditions) + ")";
    }

    private String name(String attribute) {
        names.put("#" + attribute, attribute);
        return "#" + attribute;
    }

    private String value(String name, AttributeValue value) {
        values.put(":" + name, value);
        return ":" + name;
    }
}
