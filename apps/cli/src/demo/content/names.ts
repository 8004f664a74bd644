/** Names by where people come from; an event's own place is the most frequent. */
export const NAMES: { countries: string[]; female: string; male: string; last: string }[] = [
  {
    countries: ['GB', 'AU', 'US', 'CA'],
    female:
      'Amelia, Olivia, Isla, Grace, Freya, Charlotte, Megan, Hannah, Zoë, Chloe, Ruby, Imogen, Abigail, Harriet, Naomi, Keira, Tamsin, Bethan',
    male: 'Oliver, Jack, Harry, George, Noah, Callum, Ewan, Rhys, Jamal, Marcus, Toby, Daniel, Samuel, Hugo, Kieran, Ellis, Angus, Theo',
    last: 'Smith, Jones, Taylor, Brown, Davies, Evans, Wilson, Thomas, Roberts, Walker, Wright, Thompson, White, Hughes, Green, Campbell, MacLeod, Okafor, Begum, Fitzgerald, Pritchard, Armstrong, Kaur, Whitehead',
  },
  {
    countries: ['IE'],
    female:
      'Aoife, Siobhán, Niamh, Caoimhe, Róisín, Orla, Ciara, Sinéad, Gráinne, Clodagh, Deirdre, Fionnuala',
    male: 'Conor, Seán, Oisín, Cillian, Pádraig, Eoin, Darragh, Fionn, Ronan, Tadhg, Diarmuid, Rory',
    last: 'Murphy, O’Brien, Byrne, Ryan, O’Sullivan, Doyle, McCarthy, Gallagher, Ó Súilleabháin, Kennedy, Brennan, Nolan, Ní Dhomhnaill, Quinn',
  },
  {
    countries: ['FR'],
    female:
      'Camille, Léa, Manon, Chloé, Inès, Hélène, Élodie, Aurélie, Maëlle, Noémie, Soizic, Margaux, Fatou, Océane',
    male: 'Lucas, Hugo, Théo, Mathéo, Rémi, Loïc, Jérôme, Gaël, François, Étienne, Mamadou, Yann, Benoît, Cédric',
    last: 'Martin, Bernard, Dubois, Lefèvre, Moreau, Le Goff, Guérin, Fontaine, Chevalier, Diallo, Rousseau, Mercier, D’Angelo, Le Bihan, Béranger, Traoré',
  },
  {
    countries: ['DE'],
    female: 'Anna, Lena, Johanna, Katharina, Jule, Greta, Frieda, Käthe, Lieselotte, Svenja, Ayşe, Mareike',
    male: 'Jonas, Lukas, Finn, Jürgen, Günther, Matthias, Björn, Torsten, Emre, Moritz, Łukasz, Sönke',
    last: 'Müller, Schmidt, Schneider, Fischer, Weber, Meyer, Großmann, Schäfer, Köhler, von der Heide, Yılmaz, Jäger, Vogel, Krüger, Strauß, Nowak',
  },
  {
    countries: ['ES', 'MX'],
    female: 'Lucía, María, Carmen, Sofía, Inés, Núria, Aitana, Begoña, Ximena, Guadalupe, Valentina, Leire',
    male: 'Javier, Álvaro, Sergio, Íñigo, Jordi, Martín, Andrés, Joaquín, Emiliano, Ramón, Pau, Rubén',
    last: 'García, Martínez, Hernández, Muñoz, Ibáñez, Puig i Ferrer, de la Cruz, Ortega, Peña, Etxeberria, Núñez, Castillo, Rivera, Soler, Zamora, Quiñones',
  },
  {
    countries: ['IN'],
    female: 'Ananya, Priya, Aishwarya, Kavya, Meera, Nandini, Riya, Shreya, Fatima, Lakshmi, Ishita, Zara',
    male: 'Aarav, Arjun, Rohan, Vikram, Siddharth, Karthik, Rahul, Imran, Dev, Nikhil, Harpreet, Aditya',
    last: 'Sharma, Patel, Iyer, Kulkarni, Deshmukh, Reddy, Banerjee, Khan, Singh, Nair, D’Souza, Gupta, Joshi, Chatterjee, Menon, Shaikh',
  },
  {
    countries: ['DK'],
    female: 'Freja, Signe, Mette, Søs, Astrid, Kirsten, Åse, Liv, Ingrid, Maj',
    male: 'Søren, Mikkel, Jørgen, Rasmus, Lars, Åge, Magnus, Emil, Bjarke, Anders',
    last: 'Jensen, Nielsen, Sørensen, Møller, Kjær, Østergaard, Nørgaard, Lund, Ibsen, Bækgaard, Winther, Åkesson',
  },
  {
    countries: ['PH'],
    female: 'Maria Clara, Liezel, Jasmine, Rosario, Angelica, Divina, Marites, Bea',
    male: 'Jose, Ramil, Efren, Rodel, Paolo, Manny, Crisanto, Nonoy',
    last: 'Santos, Reyes, dela Cruz, Bautista, Villanueva, Macaraeg, Aquino, Peñaflor, Magsaysay, Sy',
  },
];

/** Names of teams are pairs of them; with 24 and 28, pairs are distinct before numbers are needed. */
export const TEAM_ADJECTIVES =
  'Swift, Muddy, Brave, Salty, Late, Golden, Northern, Quiet, Loud, Thirsty, Lucky, Rusty, Electric, Wild, Sunday, Sleepy, Royal, Steady, Flying, Windy, Stubborn, Cosmic, Honest, Midnight';
export const TEAM_NOUNS =
  'Otters, Herons, Badgers, Puffins, Lynxes, Goats, Comets, Pacers, Anchors, Turtles, Foxes, Ravens, Hares, Oxen, Gulls, Pikes, Wolves, Terriers, Rockets, Kites, Bisons, Cranes, Stoats, Marmots, Mules, Dolphins, Eels, Owls';
