import { ENCODINGS, openNotices, readSheet, recognise, type Sheet, UnreadableSheet } from '#libs/sheets';
import { kindOfImport } from '../../libs/client/src/browser';
import { CALENDAR } from '../../libs/domain/catalogue/src/files/calendar/targets';
import { decoded } from '../../libs/sheets/src/encodings';

/**
 * Tables as people of a language write them: names of columns with the field that each means, if there is one, and words with the letters
 * of the language. A name that nothing knows is not used; it is never another field.
 */
interface Language {
  people: string;
  races: string;
  words: string;
}

/** What the names mean, by the words behind them: of people, of bookings, and of races. What has none is no field. */
const PERSON: Record<string, string> = {
  ...{
    first: 'firstName',
    last: 'lastName',
    whole: 'name',
    email: 'email',
    born: 'dateOfBirth',
    sex: 'gender',
  },
  ...{
    bib: 'bibNumber',
    phone: 'phone',
    team: 'team.name',
    price: 'price',
    tags: 'tags',
    wave: 'waveId',
    ticket: 'ticketId',
  },
};
const OTHER: Record<string, string> = {
  ...{ number: 'externalBookingId', booked: 'bookedAt', event: 'eventOccurrenceId', code: 'discountCode' },
};
const OF_RACES: Record<string, string> = {
  ...{
    event: 'event.title',
    race: 'race.title',
    date: 'race.startDate',
    time: 'race.startTime',
    city: 'occurrence.location.address.city',
  },
  ...{
    country: 'occurrence.location.address.countryName',
    post: 'occurrence.location.address.postCode',
    distance: 'race.distance.value',
  },
  ...{
    places: 'race.maxCapacity',
    price: 'ticket.price',
    currency: 'ticket.price.currencyCode',
    zone: 'occurrence.timeZone',
    wave: 'wave.title',
  },
};

const LANGUAGES: Record<string, Language> = {
  French: {
    people:
      'Prénom=first Nom=last Sexe=sex Naissance=born Dossard=bib Courriel=email Téléphone=phone Équipe=team Montant=price Commande=number Épreuve=ticket Vague=wave Ville Pays Catégorie Licence Remarques Rang Temps Âge Année Adresse',
    races:
      'Événement=event Épreuve=race Date=date Heure=time Ville=city Pays=country Prix=price Devise=currency Distance=distance Capacité=places Dénivelé Région Organisateur Site Lien Inscrits Département',
    words:
      'Hélène François Anaïs Benoît Chloé Gaëlle Jérôme Noël Françoise Élodie Mâcon Orléans Nîmes Besançon Saint-Étienne Béziers',
  },
  Spanish: {
    people:
      'Nombre=first Apellidos=last Sexo=sex Nacimiento=born Dorsal=bib Correo=email Teléfono=phone Club=team Importe=price Pedido=number Carrera=ticket Ciudad País Categoría Dirección Edad Año Observaciones Puesto Tiempo Talla DNI',
    races:
      'Carrera=race Prueba=race Evento=event Fecha=date Hora=time Ciudad=city País=country Precio=price Moneda=currency Distancia=distance Plazas=places Provincia Desnivel Organizador Lugar',
    words:
      'José Ángel Íñigo Begoña Núria Sofía Martín Álvaro Muñoz Peña Ibáñez Logroño Málaga Córdoba León Cáceres',
  },
  Catalan: {
    people:
      'Nom=first Cognoms=last Sexe=sex Naixement=born Dorsal=bib Correu=email Telèfon=phone Club=team Cursa=ticket Població Edat Adreça',
    races:
      'Cursa=race Data=date Hora=time Població=city País=country Preu=price Distància=distance Places=places',
    words:
      'Núria Òscar Àngels Llúcia Martí Gràcia Vilaseca Peçanha Mollerussa Alcoi Vilafranca Ripollès Maçanet Lluçanès Sabadell Bàscara',
  },
  Italian: {
    people:
      'Nome=first Cognome=last Sesso=sex Nascita=born Pettorale=bib Email=email Telefono=phone Società=team Quota=price Gara=ticket Città Nazione Categoria Età Tessera Indirizzo Tempo',
    races:
      'Evento=event Gara=race Data=date Ora=time Città=city Nazione=country Paese=country Prezzo=price Valuta=currency Distanza=distance Posti=places Provincia Dislivello',
    words:
      'Niccolò Noè Mosè Desirée Pietà Forlì Cefalù Mondovì Nardò Cantù Patù Sanità Agliè Bardonecchia Viggiù Arborè',
  },
  Dutch: {
    people:
      'Voornaam=first Achternaam=last Geslacht=sex Geboortedatum=born Startnummer=bib Email=email Telefoon=phone Vereniging=team Bedrag=price Bestelnummer=number Afstand=ticket Woonplaats Land Categorie Leeftijd Naam=whole Adres Tijd',
    races:
      'Evenement=event Wedstrijd=race Datum=date Starttijd=time Plaats=city Land=country Prijs=price Valuta=currency Afstand=distance Deelnemers Gemeente Hoogtemeters',
    words:
      'Zoë Noëlle Daniël Chloë Joël Café Curaçao Tenné Raphaël Michaël Ruïne Loïs Cézanne Coördinator Beëdigd Andrée',
  },
  Portuguese: {
    people:
      'Nome=first Apelido=last Sobrenome=last Sexo=sex Nascimento=born Dorsal=bib Email=email Telefone=phone Equipa=team Prova=ticket Cidade País Categoria Idade Escalão Morada Tempo Ano',
    races:
      'Evento=event Prova=race Corrida=race Data=date Hora=time Cidade=city País=country Preço=price Moeda=currency Distância=distance Vagas=places Distrito',
    words:
      'João Conceição Inês Antónia Estêvão Gonçalo Simões Guimarães Évora Santarém Bragança Portimão Araújo Assunção Lourenço Água',
  },
  Swedish: {
    people:
      'Förnamn=first Efternamn=last Kön=sex Födelsedatum=born Startnummer=bib E-post=email Telefon=phone Klubb=team Belopp=price Lopp=ticket Ort Land Klass Ålder Namn=whole Adress Tid Nr Plac',
    races:
      'Evenemang=event Tävling=race Lopp=race Datum=date Starttid=time Ort=city Land=country Pris=price Valuta=currency Distans=distance Platser=places Län Arrangör',
    words:
      'Åsa Björn Märta Göran Håkan Sjöberg Ängelholm Öberg Växjö Malmö Luleå Östersund Gävle Borås Nyström Åberg',
  },
  Danish: {
    people:
      'Fornavn=first Efternavn=last Køn=sex Fødselsdato=born Startnummer=bib E-mail=email Telefon=phone Klub=team Beløb=price Løb=ticket By Land Klasse Alder Navn=whole Adresse Tid',
    races:
      'Begivenhed=event Løb=race Dato=date Starttid=time By=city Land=country Pris=price Valuta=currency Distance=distance Pladser=places Postnr=post Arrangør',
    words:
      'Søren Bjørn Jørgen Åse Kærsgård Ærø Nørrebro Ålborg Rønne Løgstør Sæby Næstved Østergård Hjørring Frøslev Tårnby',
  },
  Norwegian: {
    people:
      'Fornavn=first Etternavn=last Kjønn=sex Fødselsdato=born Startnummer=bib E-post=email Telefon=phone Klubb=team Beløp=price Sted Land Klasse Alder Navn=whole Øvelse=ticket Tid',
    races:
      'Arrangement=event Løp=race Dato=date Starttid=time Sted=city Land=country Pris=price Valuta=currency Distanse=distance Plasser=places Fylke Kommune',
    words:
      'Øystein Bjørg Åge Kåre Sæther Tromsø Bodø Ålesund Røros Hønefoss Mosjøen Brønnøysund Stjørdal Kirkenær Lærdal Årdal',
  },
  Finnish: {
    people:
      'Etunimi=first Sukunimi=last Sukupuoli=sex Syntymäaika=born Numero=bib Sähköposti=email Puhelin=phone Seura=team Hinta=price Sarja=ticket Paikkakunta Maa Nimi=whole Ikä Osoite Aika',
    races:
      'Tapahtuma=event Kilpailu=race Päivä=date Päivämäärä=date Aika=time Paikkakunta=city Maa=country Hinta=price Matka=distance Paikkoja=places',
    words:
      'Väinö Päivi Jyväskylä Hämeenlinna Räsänen Mäkelä Pöyhönen Kärkkäinen Äänekoski Töölö Hyvinkää Mikkeli Pälkäne Närpiö Kemijärvi Ylöjärvi',
  },
  Polish: {
    people:
      'Imię=first Nazwisko=last Płeć=sex Urodzenia=born Numer=bib E-mail=email Telefon=phone Klub=team Kwota=price Bieg=ticket Miasto Kraj Kategoria Wiek Adres Czas Uwagi Rok',
    races:
      'Impreza=event Bieg=race Data=date Godzina=time Miasto=city Kraj=country Cena=price Waluta=currency Dystans=distance Limit=places Województwo Organizator',
    words:
      'Łukasz Małgorzata Grażyna Świętosław Żaneta Wójcik Dąbrowski Łódź Gdańsk Kraków Poznań Częstochowa Świdnica Zieliński Kołodziej Żuławy',
  },
  Czech: {
    people:
      'Jméno=first Příjmení=last Pohlaví=sex Narození=born Číslo=bib E-mail=email Telefon=phone Klub=team Cena=price Závod=ticket Město Země Kategorie Věk Adresa Čas Oddíl Poznámka',
    races:
      'Akce=event Závod=race Datum=date Čas=time Město=city Země=country Cena=price Měna=currency Vzdálenost=distance Kapacita=places Kraj Pořadatel',
    words:
      'Jiří Ondřej Božena Kateřina Růžena Lubomír Plzeň Brno Děčín Třebíč Mělník Žďár Příbram Dvořák Němcová Šťastný',
  },
  Hungarian: {
    people:
      'Keresztnév=first Vezetéknév=last Nem=sex Születés=born Rajtszám=bib E-mail=email Telefon=phone Egyesület=team Összeg=price Táv=ticket Város Ország Kor Név=whole Cím Idő',
    races:
      'Esemény=event Verseny=race Dátum=date Időpont=time Város=city Ország=country Ár=price Pénznem=currency Táv=distance Létszám=places Megye',
    words:
      'Győző Zsófia Árpád Örs Üllői Fűzfő Győr Pécs Székesfehérvár Hódmezővásárhely Őszi Tündé Kecskemét Cegléd Szőke Müller',
  },
  Croatian: {
    people:
      'Ime=first Prezime=last Spol=sex Rođenja=born Broj=bib E-mail=email Telefon=phone Klub=team Iznos=price Utrka=ticket Grad Država Kategorija Godine Adresa Vrijeme',
    races:
      'Događaj=event Utrka=race Datum=date Vrijeme=time Grad=city Država=country Cijena=price Valuta=currency Udaljenost=distance Mjesta=places Županija',
    words:
      'Željko Đurđica Šime Dražen Ćiril Horvatić Šibenik Čakovec Požega Đakovo Križevci Perušić Vukašin Žaja Kovačević Šoštar',
  },
  Turkish: {
    people:
      'Ad=first Soyad=last Cinsiyet=sex Doğum=born Numara=bib E-posta=email Telefon=phone Kulüp=team Tutar=price Yarış=ticket Şehir Ülke Kategori Yaş Adres Süre İsim=first',
    races:
      'Etkinlik=event Yarış=race Tarih=date Saat=time Şehir=city Ülke=country Fiyat=price Mesafe=distance Kontenjan=places İlçe',
    words:
      'Çağlar Gülşen Işıl İbrahim Şükrü Ömer Özgür Yıldız Gümüş Balıkesir Eskişehir Çanakkale Uşak Muğla Iğdır Şırnak',
  },
  Lithuanian: {
    people:
      'Vardas=first Pavardė=last Lytis=sex Gimimo=born Numeris=bib Telefonas=phone Klubas=team Kaina=price Miestas Šalis Amžius Adresas Laikas',
    races:
      'Renginys=event Bėgimas=race Data=date Laikas=time Miestas=city Šalis=country Kaina=price Distancija=distance Vietos=places',
    words:
      'Žydrūnas Šarūnas Ąžuolas Eglė Ieva Čiurlionis Panevėžys Šiauliai Mažeikiai Jonušas Rūta Ugnė Kęstutis Biržai Vilkaviškis Įgnas',
  },
  Russian: {
    people:
      'Имя=first Фамилия=last Пол=sex Рождения=born Номер=bib Почта=email Телефон=phone Клуб=team Сумма=price Дистанция=ticket Город Страна Возраст',
    races:
      'Событие=event Забег=race Дата=date Время=time Город=city Страна=country Цена=price Дистанция=distance Мест=places',
    words:
      'Алексей Наталья Фёдор Елизавета Григорий Москва Казань Самара Воронеж Щукин Юрьев Объедков Жуковский Эльвира Цветков Чехов',
  },
  Greek: {
    people:
      'Όνομα=first Επώνυμο=last Φύλο=sex Γέννηση=born Αριθμός=bib Τηλέφωνο=phone Σύλλογος=team Ποσό=price Πόλη Χώρα Ηλικία',
    races:
      'Διοργάνωση=event Αγώνας=race Ημερομηνία=date Ώρα=time Πόλη=city Χώρα=country Τιμή=price Απόσταση=distance Θέσεις=places',
    words:
      'Γιώργος Ελένη Κωνσταντίνος Αθήνα Θεσσαλονίκη Πάτρα Ηράκλειο Λάρισα Νίκος Δημήτρης Σοφία Άννα Ιωάννης Χρήστος Ξένια Ψαρού',
  },
};

const PEOPLE = kindOfImport('/v0/bookings/import');
const headersOf = (text: string): [name: string, of: string | undefined][] =>
  text.split(' ').map((each) => each.split('=') as [string, string | undefined]);
const pathOf = (of: string | undefined, kind: string) =>
  of && (kind === 'races' ? OF_RACES[of] : PERSON[of] ? `participants[0].${PERSON[of]}` : OTHER[of]);

describe.each(Object.entries(LANGUAGES))('%s', (_name, { people, races, words }) => {
  it('names of columns are the fields that they mean, or none', () => {
    const wrong = [
      ...(['people', 'races'] as const).flatMap((kind) => {
        const headers = headersOf(kind === 'races' ? races : people);
        const fields = kind === 'races' ? CALENDAR : PEOPLE;
        const known = (columns: string[]) => recognise({ columns }, fields);
        const together = known(headers.map(([name]) => name));
        return headers.flatMap(([name, of]) =>
          [together[name], known([name])[name]]
            .filter((path) => path && path !== pathOf(of, kind))
            .map((path) => `${kind}: ${name} is ${path}`),
        );
      }),
    ];
    expect(wrong).toEqual([]);
  });

  it('words in all encodings that have their letters are read as they were written, asked or refused', async () => {
    const list = words.split(' ');
    const faults: string[] = [];
    for (const encoding of ENCODINGS.filter((each) => !/^(utf|shift|euc|gb|big5)/.test(each)))
      for (const size of [1, 2, 3, 5, 8, list.length])
        for (const from of [0, list.length - size]) {
          const rows = list
            .slice(from, from + size)
            .map((word, at) => [word, list[(at * 7 + from) % size] ?? word]);
          const text = ['First;Last', ...rows.map((row) => row.join(';')), ''].join('\n');
          const bytes = bytesOf(text, encoding);
          faults.push(...((bytes && (await faultsOf(bytes, rows, encoding))) ?? []));
        }
    expect(faults).toEqual([]);
  });
});

/** A table that is read as other words than those that were written, or asked about without offering them. */
async function faultsOf(bytes: Uint8Array, rows: string[][], encoding: string): Promise<string[]> {
  const isRead = (sheet: Sheet) =>
    JSON.stringify(sheet.rows.map(({ cells }) => cells)) === JSON.stringify(rows);
  try {
    const sheet = await readSheet(bytes);
    const [open] = openNotices(sheet);
    if (!open) return isRead(sheet) ? [] : [`${encoding}: ${sheet.encoding} ${sheet.rows[0]?.cells}`];
    const ways = await Promise.all(
      open.choices.map(({ value }) => readSheet(bytes, { [open.option]: value })),
    );
    return ways.some(isRead) ? [] : [`${encoding} is not offered for ${rows}`];
  } catch (error) {
    if (error instanceof UnreadableSheet) return [];
    throw error;
  }
}

/** The bytes of a text in an encoding of single bytes; undefined if it lacks a letter. */
function bytesOf(text: string, encoding: (typeof ENCODINGS)[number]): Uint8Array | undefined {
  const letters = new Map<string, number>();
  for (let byte = 255; byte >= 0; byte -= 1) {
    const letter = decoded(Uint8Array.of(byte), encoding);
    if (letter) letters.set(letter, byte);
  }
  const bytes = [...text].map((letter) => letters.get(letter));
  return bytes.includes(undefined) ? undefined : Uint8Array.from(bytes as number[]);
}
