"""Give everybody who took part before places existed the place they had."""

from django.db import migrations

from studyapp.domain.digest import json_sha256


def places_insert(apps, schema_editor):
    Participant = apps.get_model("studyapp", "Participant")
    Place = apps.get_model("studyapp", "Place")
    for person in Participant.objects.iterator(chunk_size=2000):
        Place.objects.create(
            cohort_id=person.cohort_id,
            is_test=person.is_test,
            number=person.enrolment,
            participant=person,
            reserved_until=person.consented_at,
            is_complete=person.completed_at is not None,
        )
    Participant.objects.filter(completed_at__isnull=False).update(outcome="complete")
    for cohort in apps.get_model("studyapp", "Cohort").objects.filter(study__is_test=True):
        cohort.enrolled_test, cohort.enrolled = cohort.enrolled, 0
        cohort.save(update_fields=["enrolled", "enrolled_test"])


def digests_fill(apps, schema_editor):
    Event = apps.get_model("studyapp", "Event")
    for event in Event.objects.filter(sha256="").iterator(chunk_size=2000):
        digest = json_sha256(
            {
                "study": event.study,
                "participant": event.participant,
                "kind": event.kind,
                "payload": event.payload,
                "at": event.at.isoformat() if event.at else None,
            }
        )
        Event.objects.filter(pk=event.pk).update(sha256=digest)


class Migration(migrations.Migration):
    dependencies = [("studyapp", "0004_participants_side")]

    operations = [
        migrations.RunPython(places_insert, migrations.RunPython.noop),
        migrations.RunPython(digests_fill, migrations.RunPython.noop),
    ]
